import type { Setting } from './kinds.ts'

/** A name that begins like this and is not known was meant for us and misspelt. */
const groups = [
  'ADMIN_',
  'ALLOW_',
  'ALLOWED_',
  'ARGON2_',
  'AUDIT_',
  'AUTH_',
  'AUTO_',
  'BRIDGE_',
  'CLIENT_',
  'CODE_',
  'COOKIE_',
  'CORS_',
  'DATABASE_',
  'DATA_',
  'EMAIL_',
  'FRONTEND_',
  'HASH_',
  'LOCKOUT_',
  'LOGIN_LINK_',
  'LOG_',
  'MAIL_',
  'METRICS_',
  'OAUTH_',
  'OIDC_',
  'PARTIAL_',
  'PASSWORD_',
  'PEPPER',
  'PUBLIC_',
  'RATE_LIMIT_',
  'REAUTH_',
  'REDIS_',
  'REGISTRATION_',
  'RESET_',
  'SESSION_',
  'SHUTDOWN_',
  'SMS_',
  'SMTP_',
  'SOCIAL_',
  'STORAGE_',
  'TOKEN_LOGIN_',
  'TRUSTED_',
  'TWILIO_',
  'UPLOAD_',
  'USER_TYPE',
  'VERIFY_',
]

// Container platforms set these by themselves for a service that happens to be called "redis" or "database".
const platformName = /_(SERVICE_HOST|SERVICE_PORT(_.*)?|PORT|PORT_\d+_(TCP|UDP)(_.*)?)$/

/** One sentence for each name of ours that does not exist, with the one that was probably meant. */
export function unknownNames(
  environment: Record<string, string | undefined>,
  settings: Record<string, Setting<unknown>>,
): string[] {
  const known = Object.entries(settings).flatMap(([name, setting]) => withFile([name, ...setting.aliases], setting))
  // Other names of a setting are shared with others: what looks like one of them may be theirs.
  const own = Object.entries(settings).flatMap(([name, setting]) => withFile([name], setting))
  const isOurs = (name: string) =>
    groups.some((group) => name.startsWith(group)) || own.some((one) => isMisspelling(name, one))
  const names = Object.keys(environment).filter(
    (name) => !known.includes(name) && !platformName.test(name) && isOurs(name),
  )
  return names.map((name) => {
    const [closest = ''] = known.toSorted((left, right) => distance(name, left) - distance(name, right))
    const hint =
      distance(name, closest) <= 4 ? `: did you mean ${closest}?` : '. The settings are listed in docs/configuration.md'
    return `${name} is not a setting${hint}`
  })
}

const withFile = (names: string[], { secret }: Setting<unknown>): string[] =>
  secret ? names.flatMap((name) => [name, `${name}_FILE`]) : names

/** One letter is wrong, missing or too much, or two have changed places. Short names are one letter away from too many. */
function isMisspelling(name: string, known: string): boolean {
  if (known.length < 6 || Math.abs(name.length - known.length) > 1) return false
  const letters = (text: string) => [...text].sort().join('')
  const wrong = distance(name, known)
  return wrong === 1 || (wrong === 2 && letters(name) === letters(known))
}

/** Levenshtein: how many letters differ. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced))
    }
    previous = current
  }
  return previous[right.length] ?? 0
}
