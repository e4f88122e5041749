import { invalidField } from '../../../lib/errors.ts'
import { readPresent } from '../../../lib/read-all.ts'
import { sameResource } from '../../../lib/same-resource.ts'
import { day, hour, minute, second } from '../../../lib/time.ts'
import { lineField } from '../../../users/fields.ts'
import type { SigningAlg, TokenFormat } from '../rows.ts'

export const maxAliases = 10
export const maxIdentifier = 500
const maxName = 80

export interface ResourceInput {
  application_id?: string
  identifier?: string
  aliases?: string[]
  name?: string
  token_format?: TokenFormat
  /** In seconds. */
  access_ttl?: number | null
  alg?: SigningAlg | null
  enabled?: boolean
}

/** Throws VALIDATION_ERROR with all problems. The command line has no schema. */
export const readResource = (input: ResourceInput, ownIdentifier: string) => ({
  ...readPresent((read) => ({
    identifier: read(input.identifier, (text) => readIdentifier('identifier', text, ownIdentifier)),
    aliases: read(input.aliases, (given) => readAliases(given, ownIdentifier)),
    name: read(input.name, readOAuthName),
    access_ttl: read(input.access_ttl, readLifetime),
  })),
  application_id: input.application_id,
  token_format: input.token_format,
  alg: input.alg,
  is_enabled: input.enabled,
})

export function readOAuthName(text: string): string {
  const name = lineField('name', text, maxName).trim()
  if (name === '') throw invalidField('name', 'must not be empty')
  return name
}

/** Programs that open or fill in an identifier must not open files, run scripts, or fill in variables. */
const isUnsafe = (text: string): boolean =>
  /^(?:file|javascript|vbscript|data|blob):/i.test(text) || text.includes('${')

/** An absolute URI without a fragment (RFC 8707, 2). */
function readIdentifier(field: string, text: string, ownIdentifier: string): string {
  const url = text.length <= maxIdentifier && /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null
  if (url?.username !== '' || url.password !== '' || text.includes('#') || /["\\<>]/.test(text) || isUnsafe(text))
    throw invalidField(field, 'must be a URI such as https://api.example.com, without user name and fragment')
  if (sameResource(text) === sameResource(ownIdentifier))
    throw invalidField(field, 'is the address of this service, whose own API is always a resource')
  return text
}

function readAliases(given: readonly string[], ownIdentifier: string): string[] {
  if (given.length > maxAliases) throw invalidField('aliases', `must not contain more than ${maxAliases} identifiers`)
  return [...new Set(given.map((text) => readIdentifier('aliases', text, ownIdentifier)))]
}

/** In seconds. */
export function readLifetime(seconds: number | null): number | null {
  if (seconds === null) return null
  if (!Number.isSafeInteger(seconds) || seconds * second < minute || seconds * second > day)
    throw invalidField('access_ttl', 'must be a whole number of seconds from 60 to 86400')
  return seconds
}

/** Resource servers that check JWTs on their own do not learn that one was revoked. */
export function assertLifetime(format: TokenFormat, seconds: number | null): void {
  if (format === 'jwt' && seconds !== null && seconds * second > hour)
    throw invalidField('access_ttl', 'must be at most 3600 for JWTs')
}
