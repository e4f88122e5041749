import type { FastifyRequest } from 'fastify'
import { deviceOf } from '../../http/access/device.ts'
import type { Reading } from './read-post.ts'

/** Who asks for something of a post, and what they show. */
export const readingFrom = (request: FastifyRequest, lang?: string): Reading => ({
  reader: request.auth?.user,
  password: passwordOf(request.headers['x-post-password']),
  device: deviceOf(request),
  lang,
})

/** Header values arrive byte by byte: what they mean is UTF-8. */
const passwordOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? Buffer.from(header, 'latin1').toString('utf8').normalize('NFC') : undefined
