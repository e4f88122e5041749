import { isCheckedText } from './key-form.ts'

/** As long as the service accepts. */
const maxLength = 8192

/**
 * Whether the text has the form of an access token of this issuer: `wat_` with a checksum, or a JWT with the type and the
 * issuer of RFC 9068. Tokens of other issuers cause no request to the service. The signature is not checked here.
 */
export function isAccessToken(text: string, issuer: string): boolean {
  if (text.startsWith('wat_')) return isCheckedText(text)
  if (text.length > maxLength || !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(text)) return false
  const [header = '', claims = ''] = text.split('.')
  return memberOf(header, 'typ') === 'at+jwt' && memberOf(claims, 'iss') === issuer
}

function memberOf(encoded: string, name: string): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'))
    return (value as Record<string, unknown> | null)?.[name]
  } catch {
    return undefined
  }
}
