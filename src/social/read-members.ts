import { type Members, NotAccepted } from './provider.ts'

/** Members of an answer; anything else has none. */
export const membersOf = (value: unknown): Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Who it is: without that, nothing else counts. Halves of letters would all be kept as the same replacement character,
 * and two subjects as one; U+0000 cannot be kept at all.
 */
export function subjectOf(value: unknown): string {
  const subject = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : textOf(value)
  if (subject === '' || subject.length > 255 || /\p{Cc}/u.test(subject) || !subject.isWellFormed())
    throw new NotAccepted('the provider does not say who it is')
  return subject
}

/** The standard claims (OpenID Connect Core, 5.1). Only a provider whose word is trusted vouches for an address. */
export const standardProfile = (claims: Members) => ({
  subject: subjectOf(claims.sub),
  email: textOf(claims.email) || undefined,
  emailVerified: claims.email_verified === true,
  name: textOf(claims.given_name) || textOf(claims.name),
  lastName: textOf(claims.family_name),
  picture: textOf(claims.picture),
})
