import type { Config } from '../../config/load.ts'
import { userTypesOf } from '../../users/fields.ts'

type SettingsToCheck = Readonly<Partial<Record<keyof Config, unknown>>>

/** Finds settings that leave users unprotected or cause browsers to reject passkeys. */
export function secondFactorProblems(config: Config, input: SettingsToCheck): string[] {
  const types = userTypesOf(config)
  const unknown = config.TWO_FACTOR_REQUIRED_FOR.filter((type) => !types.includes(type))
  const foreign = config.WEBAUTHN_ORIGINS.filter((origin) => !mayUsePasskeys(origin, config.WEBAUTHN_RP_ID))
  const hasOrigins = Array.isArray(input.WEBAUTHN_ORIGINS) && input.WEBAUTHN_ORIGINS.length > 0
  const problems = [
    unknown.length > 0 && `TWO_FACTOR_REQUIRED_FOR names ${unknown.join(', ')}: not a user type`,
    hasOrigins &&
      foreign.length > 0 &&
      `WEBAUTHN_ORIGINS must be https pages on WEBAUTHN_RP_ID (${config.WEBAUTHN_RP_ID}) or its subdomains: ${foreign.join(', ')} is not`,
    input.WEBAUTHN_RP_ID &&
      !hasOrigins &&
      foreign.length === config.WEBAUTHN_ORIGINS.length &&
      'WEBAUTHN_RP_ID must be the host of FRONTEND_URL or PUBLIC_URL, or a parent domain of it, and these must be https',
  ]
  return problems.filter((one) => typeof one === 'string')
}

/** Browsers apply the same rules (WebAuthn level 3, 5.1.3). The rules do not apply to Android apps. */
function mayUsePasskeys(origin: string, id: string): boolean {
  if (origin.startsWith('android:')) return true
  const { protocol, hostname } = new URL(origin)
  return (hostname === id || hostname.endsWith(`.${id}`)) && (protocol === 'https:' || hostname === 'localhost')
}

/** By default, passkeys are for the host of FRONTEND_URL. The origins of PUBLIC_URL and FRONTEND_URL are accepted. */
export function passkeySettings(config: Config): Pick<Config, 'WEBAUTHN_RP_ID' | 'WEBAUTHN_ORIGINS'> {
  const { PUBLIC_URL, FRONTEND_URL, WEBAUTHN_RP_ID, WEBAUTHN_ORIGINS } = config
  return {
    WEBAUTHN_RP_ID: WEBAUTHN_RP_ID ?? new URL(FRONTEND_URL).hostname,
    WEBAUTHN_ORIGINS: WEBAUTHN_ORIGINS.length > 0 ? WEBAUTHN_ORIGINS : ownOrigins([PUBLIC_URL, FRONTEND_URL]),
  }
}

const ownOrigins = (addresses: string[]): string[] => [...new Set(addresses.map((address) => new URL(address).origin))]
