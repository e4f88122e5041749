import { type Members, NotAccepted } from './provider.ts'

export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Lone surrogates would all be stored as the same character, and U+0000 cannot be stored. */
export function subjectOf(value: unknown): string {
  const subject = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value)
  if (subject === '' || subject.length > 255 || /\p{Cc}/u.test(subject) || !subject.isWellFormed())
    throw new NotAccepted('the provider did not send a valid subject')
  return subject
}

/** Standard claims (OpenID Connect Core, 5.1). Addresses count as verified only for trusted providers. */
export const standardProfile = (claims: Members) => ({
  subject: subjectOf(claims.sub),
  email: textOf(claims.email) || undefined,
  emailVerified: claims.email_verified === true,
  name: textOf(claims.given_name) || textOf(claims.name),
  lastName: textOf(claims.family_name),
  picture: textOf(claims.picture),
})
