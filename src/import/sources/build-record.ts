import { looksLikeId } from '../../lib/ids.ts'
import { canonicalLanguage } from '../../lib/locale.ts'
import type { ImportRecord } from '../record.ts'
import { hasContent, memberOf, type Row } from './read-row.ts'
import type { Mapped } from './source.ts'

type Members = { [Name in keyof ImportRecord]?: ImportRecord[Name] | undefined }

/** Leaves out undefined and empty members. `lost` maps the names of parts that cannot be kept to their content. */
export function mapped(members: Members, lost: Readonly<Record<string, unknown>>): Mapped {
  const { email } = members
  const parts = Object.entries(lost).flatMap(([part, value]) => (hasContent(value) ? [part] : []))
  if (!email) return { problem: 'no email address', unused: parts }
  // Keeps an empty `blocked`, so that validation refuses it. Without it, the user would be imported unblocked.
  const present = Object.entries(members).filter(([name, value]) =>
    typeof value === 'object' && value !== null && name !== 'blocked'
      ? Object.keys(value).length > 0
      : value !== undefined,
  )
  return {
    record: { ...Object.fromEntries(present), email },
    lost: parts,
  }
}

/** User names in any other form cannot be kept. */
export const userNameOf = (text: string | undefined): string | undefined =>
  text && /^[A-Za-z0-9._-]{3,32}$/.test(text) ? text : undefined

export const httpsUrl = (text: string | undefined): string | undefined =>
  text?.startsWith('https://') && text.length <= 2048 ? text : undefined

export const isLostPicture = (text: string | undefined): boolean => text !== undefined && !httpsUrl(text)

/** Many systems write `pt_BR` instead of `pt-BR`. */
export const languageTag = (text: string | undefined): string | undefined =>
  text && text.length <= 35 ? canonicalLanguage(text.replaceAll('_', '-')) : undefined

export const uuidOf = (text: string | undefined): string | undefined => {
  const id = text?.toLowerCase()
  return id !== undefined && looksLikeId(id) ? id : undefined
}

/** Some systems use the email address as the name if no name is stored. */
export const displayName = (name: string | undefined, email: string | undefined): string | undefined =>
  name?.toLowerCase() === email?.toLowerCase() ? undefined : name

/** Wardenry supports only six-digit SHA-1 codes with a period of 30 seconds. */
export const totpOf = (secret: string | undefined): ImportRecord['totp'] => {
  const seed = secret?.replace(/[\s=]/g, '').toUpperCase()
  return seed && /^[A-Z2-7]{16,128}$/.test(seed) ? [{ secret: seed }] : undefined
}

export const blockedIf = (isBlocked: boolean | undefined, system: string): ImportRecord['blocked'] =>
  isBlocked ? { reason: `Blocked in ${system} before the import` } : undefined

/** Providers that give a user the same id in every system, keyed by the providers' names in other systems. */
const providers: Readonly<Record<string, string>> = {
  google: 'google',
  'google.com': 'google',
  'google-oauth2': 'google',
  github: 'github',
  'github.com': 'github',
  facebook: 'facebook',
  'facebook.com': 'facebook',
  apple: 'apple',
  'apple.com': 'apple',
  signinwithapple: 'apple',
  discord: 'discord',
}

export interface GivenIdentity {
  provider: string | undefined
  subject: string | undefined
  email?: string | undefined
  linked_at?: string | undefined
}

/** Returns the identities that can be kept, and whether any others are lost. */
export function identitiesOf(given: readonly GivenIdentity[]) {
  const identities: NonNullable<ImportRecord['identities']> = []
  let isLost = false
  for (const { provider = '', subject, email, linked_at } of given) {
    const name = provider.toLowerCase()
    const own = Object.hasOwn(providers, name) ? providers[name] : undefined
    if (own && subject)
      identities.push({ provider: own, subject, ...(email && { email }), ...(linked_at && { linked_at }) })
    else isLost = true
  }
  return { identities, lost: { 'identities at other providers': isLost } }
}

/** A JSON export is a list of users, or an object that contains the list. */
export const rowsUnder =
  (...names: string[]) =>
  (document: unknown): readonly unknown[] => {
    if (Array.isArray(document)) return document
    const rows = names.map((name) => memberOf((document ?? {}) as Row, name)).find(Array.isArray)
    return rows ?? []
  }
