import { bool, changeable, duration, hashList, integer, oneOf } from '../kinds.ts'
import { url } from '../url-kinds.ts'

export const signInSettings = {
  REGISTRATION_ENABLED: changeable(bool(true, 'allow users to create accounts')),
  REGISTRATION_REQUIRES_BRIDGE: bool(false, 'require the bridge secret for registration'),
  REGISTRATION_REVEAL: changeable(
    oneOf(
      ['compat', 'hide'],
      'compat',
      'response to a registration with an email address that is already in use: an error (compat), or the same response as for an unused address (hide)',
    ),
  ),
  VERIFY_REGISTRATION: changeable(bool(false, 'require a verified email address for sign-in')),
  TOKEN_LOGIN_ENABLED: bool(true, 'allow sign-in with a link or code sent by email or text message'),
  TOKEN_LOGIN_AUTO_REGISTER: changeable(
    bool(false, 'create a user when a sign-in link sent to an unknown email address is used'),
  ),
  TOKEN_LOGIN_REQUIRES_BRIDGE: bool(false, 'require the bridge secret to request or use sign-in links'),
  PASSWORDS_ENABLED: changeable(
    bool(
      true,
      'allow sign-in with passwords; if false, users sign in with a passkey, a mailed link or a provider, and stored passwords stay in the database but open nothing',
    ),
  ),
  PASSWORD_PROFILE: changeable(
    oneOf(['compat', 'nist'], 'compat', 'minimum password length: 8 (compat) or 15 (nist) characters'),
  ),
  ARGON2_MEMORY_KIB: integer(19456, 8192, 1048576, 'memory for one password hash in KiB'),
  ARGON2_TIME: integer(2, 1, 10, 'number of iterations for one password hash'),
  ARGON2_PARALLELISM: integer(1, 1, 16, 'parallelism (number of lanes) of one password hash'),
  HASH_CONCURRENCY: {
    ...integer(1, 1, 256, 'maximum number of concurrent password hashes per process'),
    fallback: undefined,
    shownDefault: 'cores / WORKERS',
  },
  HASH_QUEUE: integer(
    64,
    0,
    4096,
    'maximum number of queued password hashes per process; requests beyond this limit fail with 503',
  ),
  LOCKOUT_MAX_FAILURES: changeable(integer(100, 10, 100, 'number of consecutive wrong passwords that lock an account')),
  LOCKOUT_DURATION: changeable(duration('24h', '5m', '7d', 'how long an account stays locked')),
  LOGIN_LINK_TTL: changeable(duration('15m', '1m', '1h', 'lifetime of a sign-in link')),
  CODE_TTL: changeable(duration('10m', '1m', '10m', 'lifetime of a code that the user enters')),
  PASSWORD_BREACH_CHECK: changeable(
    bool(
      false,
      'check new passwords against known breaches; if the breach service does not respond, passwords are accepted',
    ),
  ),
  PASSWORD_BREACH_URL: url(
    'https://api.pwnedpasswords.com/range',
    ['https:', 'http:'],
    "range API for PASSWORD_BREACH_CHECK; it receives the first 5 of the 40 hex digits of the password's SHA-1 hash",
  ),
  PASSWORD_BREACH_LIST: hashList(
    'file to use instead of PASSWORD_BREACH_URL, with one SHA-1 hash per line in ascending order',
  ),
  RESET_TTL: changeable(duration('30m', '5m', '24h', 'lifetime of a password reset link')),
  RESET_AUTO_LOGIN: changeable(bool(false, 'sign the user in after a password reset')),
  INVITE_TTL: changeable(duration('24h', '1h', '14d', 'lifetime of an invitation link')),
  VERIFY_EMAIL_TTL: changeable(duration('24h', '1h', '7d', 'lifetime of a verification link')),
  EMAIL_CHANGE_TTL: changeable(
    duration(
      '24h',
      '1h',
      '7d',
      'how long the user has to open the confirmation links sent to the old and the new email address',
    ),
  ),
  EMAIL_CHANGE_REAUTH: changeable(
    bool(
      false,
      'require the password or a recent authentication to change the email address; REAUTH_WINDOW defines what is recent',
    ),
  ),
  ADMIN_REAUTH: changeable(
    bool(
      false,
      'require administrators to have authenticated recently to change users or install modules; REAUTH_WINDOW defines what is recent',
    ),
  ),
} as const
