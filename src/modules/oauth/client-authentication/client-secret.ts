import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { authorizationOf } from '../../../http/access/authorization.ts'
import { AppError } from '../../../lib/errors.ts'
import { sha256 } from '../../../lib/hash.ts'
import type { Client } from '../clients/client-view.ts'
import type { AuthenticationMethod } from './authentication-method.ts'

interface Sent {
  client_id?: string | undefined
  client_secret?: string | undefined
}

interface Credentials {
  clientId: string
  /** The secret, and what else the sender may have meant by it. */
  secrets: readonly string[]
}

/** A secret in Authorization or in the body. A client may use either, but not both in a request. */
export const clientSecret: AuthenticationMethod = {
  names: ['client_secret_basic', 'client_secret_post'],
  read(request) {
    const credentials = credentialsIn(request)
    if (!credentials) return undefined
    const hashes = credentials.secrets.map((secret) => Buffer.from(sha256(secret)))
    return { clientId: credentials.clientId, match: (client, now) => matchSecret(client, hashes, now) }
  },
}

const noSecret = { id: '', hash: sha256(''), expiresAt: null }

/** Always compares with two secrets, whether the client has them or not. Those of a public client, added by hand, do not count. */
function matchSecret(client: Client | undefined, hashes: readonly Buffer[], now: number): string | undefined {
  const [one = noSecret, other = noSecret] = client?.authMethod === 'client_secret' ? client.secrets : []
  const equal = [one, other].filter(
    ({ hash }) => hashes.filter((sent) => timingSafeEqual(sent, Buffer.from(hash))).length > 0,
  )
  return equal.find(({ id, expiresAt }) => id !== '' && (expiresAt === null || expiresAt > now))?.id
}

function credentialsIn(request: Pick<FastifyRequest, 'raw' | 'body'>): Credentials | undefined {
  const { client_id: inBody = '', client_secret: secretInBody = '' } = (request.body ?? {}) as Sent
  const [sent, ...others] = authorizationOf(request, 'basic')
  if (others.length > 0) throw new AppError('invalid_request', { sentence: 'Authenticate the client in one way only' })
  const basic = sent === undefined ? undefined : basicIn(sent)
  if (!basic) return inBody === '' || secretInBody === '' ? undefined : { clientId: inBody, secrets: [secretInBody] }
  if (secretInBody !== '')
    throw new AppError('invalid_request', {
      sentence: 'Authenticate the client in the header or in the body, not in both',
    })
  if (inBody !== '' && inBody !== basic.clientId)
    throw new AppError('invalid_request', { sentence: 'client_id is not that of the authenticated client' })
  return basic
}

/**
 * RFC 6749, 2.3.1: both parts are form-encoded. Some clients do not encode them, which makes no difference for identifiers and
 * for secrets of this service, but may for secrets from elsewhere.
 */
function basicIn(sent: string): Credentials {
  const encoded = /^[a-z0-9+/=_-]{1,1200}$/i.test(sent) ? sent : ''
  const text = Buffer.from(encoded, 'base64').toString('latin1')
  const colon = text.indexOf(':')
  if (colon < 1) throw new AppError('invalid_client')
  const clientId = formDecoded(text.slice(0, colon)) ?? ''
  // As in the body. PostgreSQL would reject U+0000, and with it the query of all clients that are read at the same time.
  if (['\0', '\r', '\n'].some((character) => clientId.includes(character)))
    throw new AppError('invalid_request', {
      sentence: 'client_id must not contain line breaks or the character U+0000',
    })
  const secret = text.slice(colon + 1)
  const decoded = formDecoded(secret)
  return {
    clientId,
    secrets: decoded === undefined || decoded === secret ? [secret] : [decoded, secret],
  }
}

function formDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
