import type { FastifyRequest } from 'fastify'
import { equalSecrets } from '../../lib/hash.ts'
import { newSecret } from '../../lib/ids.ts'

const header = 'x-in-process'

/** Known only to this process. */
const key = newSecret()

/** Marks API requests that a page handler makes within this process. */
export const inProcessHeaders: Readonly<Record<string, string>> = { [header]: key }

export function isInProcess({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const value = headers[header]
  return typeof value === 'string' && equalSecrets(value, key)
}
