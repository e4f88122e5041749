import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** 32 random bytes in the form that the Standard Webhooks specification requires. */
export const newSigningSecret = (): string => prefix + randomBytes(32).toString('base64')

interface SignedMessage {
  id: string
  /** Seconds since 1970. */
  timestamp: number
  body: string
}

/** The symmetric signature of the Standard Webhooks specification: HMAC-SHA-256 of `id.timestamp.body`. */
function signatureOf(secret: string, { id, timestamp, body }: SignedMessage): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** One signature for each secret. Receivers accept a message if one of the signatures is valid. */
export const signedHeaders = (secrets: readonly string[], message: SignedMessage): Record<string, string> => ({
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': secrets.map((secret) => signatureOf(secret, message)).join(' '),
})
