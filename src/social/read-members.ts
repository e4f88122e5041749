import { NotAccepted, type ProviderClaims } from './provider.ts'

export const claimsOf = (value: unknown): ProviderClaims =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as ProviderClaims) : {}

export const claimText = (value: unknown): string => (typeof value === 'string' ? value : '')

/** An error code of OAuth, or the name of a claim. Other text could contain anything. */
export const wordOf = (value: unknown): string | undefined =>
  /^[\w.-]{1,64}$/.test(claimText(value)) ? claimText(value) : undefined

/** Some providers send text instead of a boolean. */
export const isConfirmed = (value: unknown): boolean => value === true || value === 'true'

/** Rejects lone surrogates, which would all be stored as the same character, and U+0000, which cannot be stored. */
export function subjectOf(value: unknown): string {
  const subject = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : claimText(value)
  if (subject === '' || subject.length > 255 || /\p{Cc}/u.test(subject) || !subject.isWellFormed())
    throw new NotAccepted('the provider did not send a valid subject')
  return subject
}

/**
 * Standard claims (OpenID Connect Core, section 5.1). Use `emailVerified` only if the provider's claim can be trusted.
 */
export const standardProfile = (claims: ProviderClaims) => ({
  subject: subjectOf(claims.sub),
  email: claimText(claims.email) || undefined,
  emailVerified: isConfirmed(claims.email_verified),
  name: claimText(claims.given_name) || claimText(claims.name),
  lastName: claimText(claims.family_name),
  picture: claimText(claims.picture),
})
