import type { FastifyRequest } from 'fastify'
import { canonicalAddress } from '../../lib/address.ts'
import { invalidField } from '../../lib/errors.ts'

export interface NamedEndUser {
  address: string
  userAgent: string
}

export const namesEndUser = ({ headers }: FastifyRequest): boolean => headers['x-end-user-ip'] !== undefined

/** Call this only after the bridge secret has been checked. */
export function namedEndUser(request: FastifyRequest): NamedEndUser | undefined {
  if (!namesEndUser(request)) return undefined
  const address = canonicalAddress(String(request.headers['x-end-user-ip']))
  if (address === undefined) throw invalidField('X-End-User-IP', 'must be one IP address')
  return { address, userAgent: String(request.headers['x-end-user-agent'] ?? '').slice(0, 512) }
}

export const endUserParameters = [
  {
    name: 'X-End-User-IP',
    in: 'header',
    description:
      'Only with X-Bridge-Secret: the IP address of the end user on whose behalf a back end calls. Used for rate ' +
      'limits, the audit log and emails.',
    schema: { type: 'string' },
  },
  {
    name: 'X-End-User-Agent',
    in: 'header',
    description: "Only with X-End-User-IP: the end user's user agent.",
    schema: { type: 'string' },
  },
]
