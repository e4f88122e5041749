import { changeable, duration, oneOf, optionalText } from '../kinds.ts'
import { optionalUrl } from '../url-kinds.ts'

/** As in the Standard Webhooks specification: 24 to 64 bytes. */
const isSigningSecret = (value: string): boolean => {
  const bytes = Buffer.from(/^whsec_([A-Za-z0-9+/]+=*)$/.exec(value)?.[1] ?? '', 'base64').length
  return bytes >= 24 && bytes <= 64
}

const signingSecret = (meaning: string) =>
  optionalText(meaning, {
    secret: true,
    check: (value) =>
      isSigningSecret(value) ? undefined : 'must be whsec_ followed by 24 to 64 random bytes in base64',
  })

const timeout = (hook: string) =>
  changeable(duration('3s', '1s', '10s', `how long to wait for the response of the ${hook} hook`))

export const hookSettings = {
  PASSWORD_HOOK_URL: optionalUrl(
    ['https:', 'http:'],
    'URL of your previous system, which checks the passwords of users who were imported without a hash',
  ),
  PASSWORD_HOOK_SECRET: signingSecret('key for signing requests to PASSWORD_HOOK_URL: whsec_ followed by base64'),
  PASSWORD_HOOK_TIMEOUT: timeout('password'),
  PASSWORD_HOOK_FALLBACK: changeable(
    oneOf(
      ['unavailable', 'refuse'],
      'unavailable',
      'response to a sign-in if the password hook does not respond: 503 (unavailable), or the same as for a wrong password (refuse)',
    ),
  ),
  REGISTRATION_HOOK_URL: optionalUrl(
    ['https:', 'http:'],
    'URL of your system that decides whether a person may register',
  ),
  REGISTRATION_HOOK_SECRET: signingSecret(
    'key for signing requests to REGISTRATION_HOOK_URL: whsec_ followed by base64',
  ),
  REGISTRATION_HOOK_TIMEOUT: timeout('registration'),
  REGISTRATION_HOOK_FALLBACK: changeable(
    oneOf(
      ['unavailable', 'allow'],
      'unavailable',
      'response to a registration if the registration hook does not respond: 503 (unavailable), or the same as if the hook had allowed it (allow)',
    ),
  ),
} as const
