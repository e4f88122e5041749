import { type KeyObject, sign, verify } from 'node:crypto'
import { promisify } from 'node:util'
import type { SigningKey, VerificationKey } from '../keys/key-set.ts'
import type { SigningAlg } from '../rows.ts'

/** RFC 9068, 2.1. */
export const accessTokenType = 'at+jwt'

/** Of ID tokens. Tokens of other types are never taken for each other (RFC 8725, 3.11). */
export const idTokenType = 'JWT'

/** In characters. Longer texts are no tokens of this service. */
const maxLength = 8_192

/** ECDSA signatures of JWTs are the two numbers (RFC 7518, 3.4), which Node.js calls ieee-p1363. */
const digestOf = (alg: SigningAlg): string | null => (alg === 'EdDSA' ? null : 'sha256')
const keyFor = (key: KeyObject) => ({ key, dsaEncoding: 'ieee-p1363' as const })

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A JWS in compact form (RFC 7515, 7.1). */
export function signJwt({ alg, kid, privateKey }: SigningKey, typ: string, claims: object): string {
  const signed = `${part({ alg, kid, typ })}.${part(claims)}`
  return `${signed}.${sign(digestOf(alg), Buffer.from(signed), keyFor(privateKey)).toString('base64url')}`
}

const signAside = promisify(
  (
    digest: string | null,
    data: Buffer,
    key: ReturnType<typeof keyFor>,
    done: (error: Error | null, made: Buffer) => void,
  ) => sign(digest, data, key, done),
)

/** In another thread, because signing with RSA takes long. */
export async function signJwtAside({ alg, kid, privateKey }: SigningKey, typ: string, claims: object): Promise<string> {
  const signed = `${part({ alg, kid, typ })}.${part(claims)}`
  const signature = await signAside(digestOf(alg), Buffer.from(signed), keyFor(privateKey))
  return `${signed}.${signature.toString('base64url')}`
}

export interface ParsedJwt {
  kid: string
  alg: string
  claims: Readonly<Record<string, unknown>>
  signed: string
  signature: Buffer
}

/**
 * A text that has the form of a token of this type from this issuer. The signature is not checked. Header members that name
 * keys elsewhere or demand extensions are rejected (RFC 8725, 3.1 and 3.10).
 */
export function parseJwt(text: string, typ: string, issuer: string): ParsedJwt | undefined {
  if (text.length > maxLength || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return undefined
  const [head = '', body = '', tail = ''] = text.split('.')
  const header = objectIn(head)
  if (header?.typ !== typ || typeof header.kid !== 'string' || typeof header.alg !== 'string') return undefined
  if (Object.keys(header).length !== 3) return undefined
  const claims = objectIn(body)
  if (claims?.iss !== issuer) return undefined
  const { kid, alg } = header
  const signature = Buffer.from(tail, 'base64url')
  // Decoders accept several spellings of the same bytes.
  if (signature.toString('base64url') !== tail) return undefined
  return { kid, alg, claims, signed: `${head}.${body}`, signature }
}

/** The algorithm is that of the key, whatever the header says. */
export const isSignedBy = (
  { alg, publicKey }: VerificationKey,
  { alg: named, signed, signature }: ParsedJwt,
): boolean => named === alg && verify(digestOf(alg), Buffer.from(signed), keyFor(publicKey), signature)

function objectIn(encoded: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
