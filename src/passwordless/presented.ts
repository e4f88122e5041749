import type { FastifyRequest } from 'fastify'
import { addressKey, canonicalAddress } from '../lib/address.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import type { PresentedLogin } from './complete-login.ts'

interface Members {
  token?: string
  token_id?: string
  code?: string | undefined
}

/** Must accept unvalidated bodies because the rate limit is chosen before the body is validated. */
export const isCompletion = (body: unknown): boolean =>
  ['token', 'token_id', 'tokenId', 'code'].some((name) => memberOf(body, name) !== undefined)

/** Rejects requests with both a token and a code because only one of them would be checked. */
export function presentedIn({ token, token_id, code }: Members): PresentedLogin {
  if (token !== undefined) {
    if (code !== undefined || token_id !== undefined)
      throw invalidField('token', 'must not be combined with token_id and code')
    return { token }
  }
  if (token_id === undefined && code === undefined)
    throw invalidField('token', 'is required unless token_id and code are given')
  if (token_id === undefined) throw invalidField('token_id', 'is required with code')
  if (code === undefined) throw invalidField('code', 'is required with token_id')
  return { id: token_id, code }
}

/** The limits apply per token and per end user. */
export function endUserKeys({ body, query }: FastifyRequest): string[] | undefined {
  const input = (...names: string[]) =>
    names.map((name) => memberOf(body, name) ?? memberOf(query, name)).find((value) => typeof value === 'string')
  const secret = input('token', 'token_id', 'tokenId')
  const address = canonicalAddress(input('ip', 'ip_address', 'ipAddress') ?? '')
  const keys = [...(secret ? [`secret:${secret}`] : []), ...(address ? [addressKey(address)] : [])]
  return keys.length > 0 ? keys : undefined
}

function memberOf(members: unknown, name: string): string | undefined {
  if (typeof members !== 'object' || members === null || !Object.hasOwn(members, name)) return undefined
  return (members as Record<string, string | null>)[name] ?? undefined
}

export function assertEnabled({ TOKEN_LOGIN_ENABLED }: { TOKEN_LOGIN_ENABLED: boolean }): void {
  if (!TOKEN_LOGIN_ENABLED) throw new AppError('NOT_CONFIGURED')
}
