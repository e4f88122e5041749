import type { Config } from './load.ts'

interface SecondFactorSettings {
  readonly WEBAUTHN_RP_ID: string | undefined
  readonly WEBAUTHN_ORIGINS: readonly string[]
}

/** What would leave people without the protection that was meant for them, or with passkeys that no browser accepts. */
export function secondFactorProblems(config: Config, given: SecondFactorSettings): string[] {
  const types = ['superadmin', 'admin', 'customer', 'writer', ...config.USER_TYPES]
  const unknown = config.TWO_FACTOR_REQUIRED_FOR.filter((type) => !types.includes(type))
  const foreign = config.WEBAUTHN_ORIGINS.filter((origin) => !mayUsePasskeys(origin, config.WEBAUTHN_RP_ID))
  const problems = [
    unknown.length > 0 && `TWO_FACTOR_REQUIRED_FOR names ${unknown.join(', ')}: not a user type`,
    given.WEBAUTHN_ORIGINS.length > 0 &&
      foreign.length > 0 &&
      `WEBAUTHN_ORIGINS must be https pages of WEBAUTHN_RP_ID, ${config.WEBAUTHN_RP_ID}, or of names below it: ${foreign.join(', ')} is not`,
    given.WEBAUTHN_RP_ID &&
      given.WEBAUTHN_ORIGINS.length === 0 &&
      foreign.length === config.WEBAUTHN_ORIGINS.length &&
      'WEBAUTHN_RP_ID must be the host of FRONTEND_URL or PUBLIC_URL, or a domain above it, and these must be https',
  ]
  return problems.filter((one) => typeof one === 'string')
}

/** As browsers decide it (WebAuthn level 3, 5.1.3); apps on Android have proved what belongs to them in their own way. */
function mayUsePasskeys(origin: string, id: string): boolean {
  if (origin.startsWith('android:')) return true
  const { protocol, hostname } = new URL(origin)
  return (hostname === id || hostname.endsWith(`.${id}`)) && (protocol === 'https:' || hostname === 'localhost')
}
