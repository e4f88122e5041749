import type { FastifyRequest } from 'fastify'
import type { Context, CredentialKind, CredentialView } from '../context.ts'
import { sessionHeader } from '../http/access/auth.ts'
import { keysIn } from '../http/credentials/keys-in.ts'
import { AppError } from '../lib/errors.ts'
import { describeUser } from '../sessions/gateway-headers.ts'
import type { KeyDemands, VerifyKey } from '../sessions/gateway-query.ts'
import { useCredential } from './use-credential.ts'

/**
 * Finds the key of a request that a gateway forwarded, if the gateway accepts its kind. Other values in Authorization are
 * ignored, because they may be meant for the application.
 */
export const verifyKey =
  (ctx: Context): VerifyKey =>
  (request, { accept, ...demands }) => {
    const keys = keysIn(ctx, request).filter((text) => isAccepted(ctx, text, accept))
    return keys.length === 0 ? undefined : headersOf(ctx, request, { keys, ...demands })
  }

const isAccepted = (ctx: Context, text: string, accept: readonly CredentialKind[]): boolean => {
  const kind = ctx.credentials.recognize(text)?.kind
  return kind !== undefined && accept.includes(kind)
}

interface Presented extends Omit<KeyDemands, 'accept'> {
  keys: readonly string[]
}

async function headersOf(ctx: Context, request: FastifyRequest, { keys, ...demands }: Presented) {
  const [text = '', ...others] = keys
  if (others.length > 0 || sessionHeader(request) !== undefined) throw new AppError('INVALID_CREDENTIAL')
  const used = await useCredential(ctx, request, { text, recalled: ctx.credentials.recall(text), ...demands })
  return keyHeaders(used.found.cached.view, used.scopes)
}

/** A gateway forwards the values as headers, so no value may contain a line break. Scopes are ASCII without spaces. */
const keyHeaders = (
  { kind, user, serviceAccount, key, client }: CredentialView,
  scopes: readonly string[],
): string[] => [
  ...(user ? describeUser(user) : []),
  ...(serviceAccount ? ['x-auth-service-account-id', serviceAccount.id] : []),
  ...(key ? ['x-auth-key-id', key.id] : []),
  ...(client ? ['x-auth-client-id', client.id] : []),
  'x-auth-kind',
  kind,
  'x-auth-scopes',
  scopes.join(' '),
]
