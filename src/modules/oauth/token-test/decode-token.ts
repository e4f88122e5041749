import type { Context } from '../../../context.ts'
import { second } from '../../../lib/time.ts'
import { accessTokenType, parseJwt } from '../token/jwt.ts'
import type { AccessToken } from '../token/read-tokens.ts'
import { ownApi } from '../token/scopes.ts'
import type { DecodedToken } from './test-steps.ts'

/** The header and claims of a JWT. For an opaque token, what introspection tells about it. */
export function decodedToken({ config }: Context, text: string, token: AccessToken): DecodedToken {
  const jwt = parseJwt(text, accessTokenType, config.PUBLIC_URL)
  if (jwt) return { format: 'jwt', header: { alg: jwt.alg, kid: jwt.kid, typ: accessTokenType }, claims: jwt.claims }
  const { client, target, scopes, issuedAt, expiresAt } = token
  return {
    format: 'opaque',
    header: null,
    claims: {
      ...{ iss: config.PUBLIC_URL, sub: client.clientId, client_id: client.clientId },
      aud: target === ownApi ? config.PUBLIC_URL : target.identifier,
      ...(scopes.length > 0 && { scope: scopes.join(' ') }),
      ...{ iat: Math.floor(issuedAt / second), exp: Math.floor(expiresAt / second) },
    },
  }
}
