import type { FastifyRequest } from 'fastify'
import { deviceOf } from '../../http/access/device.ts'
import type { ReadPostInput } from './read-post.ts'

export const readingFrom = (request: FastifyRequest, lang?: string): ReadPostInput => ({
  reader: request.auth?.user,
  password: passwordOf(request.headers['x-post-password']),
  device: deviceOf(request),
  lang,
})

/** Node decodes header values as Latin-1; the password is sent as UTF-8. */
const passwordOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? Buffer.from(header, 'latin1').toString('utf8').normalize('NFC') : undefined
