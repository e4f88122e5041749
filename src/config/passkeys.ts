import { isIP } from 'node:net'
import type { SettingValues } from './kinds.ts'
import type { Config } from './load.ts'
import { isAtOrBelow, registrableDomain, registrableLabel } from './registrable-domain.ts'
import type { passkeySettings } from './settings/passkeys.ts'
import { unknownTypesIn } from './user-types.ts'

type PasskeyValues = SettingValues<typeof passkeySettings>
type Addresses = Pick<Config, 'PUBLIC_URL' | 'FRONTEND_URL'>

/** By default, passkeys are for the host of PUBLIC_URL, which has the pages. */
export function derivePasskeySettings(values: PasskeyValues, addresses: Addresses) {
  const { WEBAUTHN_RP_ID, WEBAUTHN_ORIGINS, PASSKEY_RELATED_ORIGINS, PASSKEY_APPLE_APPS } = values
  const id = WEBAUTHN_RP_ID ?? new URL(addresses.PUBLIC_URL).hostname
  const given = WEBAUTHN_ORIGINS.length > 0 ? WEBAUTHN_ORIGINS : ownOrigins(addresses)
  // Apple sends the domain of the passkeys as the origin of every app.
  const apple = PASSKEY_APPLE_APPS.length > 0 ? [`https://${id}`] : []
  const origins = [...given, ...PASSKEY_RELATED_ORIGINS, ...androidOrigins(values), ...apple]
  return { WEBAUTHN_RP_ID: id, WEBAUTHN_ORIGINS: [...new Set(origins)] }
}

const ownOrigins = ({ PUBLIC_URL, FRONTEND_URL }: Addresses): string[] =>
  [PUBLIC_URL, FRONTEND_URL].map((address) => new URL(address).origin)

/** Android sends the hash of an app's signing key as the origin. */
const androidOrigins = (values: Pick<Config, 'PASSKEY_ANDROID_APPS'>): string[] =>
  [...androidAppsOf(values).values()]
    .flat()
    .map((fingerprint) => Buffer.from(fingerprint.replaceAll(':', ''), 'hex').toString('base64url'))
    .map((hash) => `android:apk-key-hash:${hash}`)

/** The fingerprints of each app's signing keys, by package name. */
export function androidAppsOf({ PASSKEY_ANDROID_APPS }: Pick<Config, 'PASSKEY_ANDROID_APPS'>): Map<string, string[]> {
  const pairs = PASSKEY_ANDROID_APPS.map((app) => app.split('=', 2))
  const byName = Map.groupBy(pairs, ([name = '']) => name)
  return new Map([...byName].map(([name, same]) => [name, same.map(([, fingerprint = '']) => fingerprint)]))
}

/** Browsers read at least five labels (WebAuthn level 3, 5.11.1), and ignore the origins of others. */
const maxLabels = 5

/** Finds settings that cause browsers to reject passkeys. `input` contains the values before derived values are added. */
export function passkeyProblems(config: Config, input: Readonly<Partial<Record<keyof Config, unknown>>>) {
  const { WEBAUTHN_RP_ID: id, WEBAUTHN_ORIGINS, PASSKEY_RELATED_ORIGINS: related } = config
  const isForeign = (origin: string) => !canOriginUsePasskeys(config, origin)
  const foreign = WEBAUTHN_ORIGINS.filter(isForeign)
  const hasOrigins = Array.isArray(input.WEBAUTHN_ORIGINS) && input.WEBAUTHN_ORIGINS.length > 0
  const labels = related.map((origin) => registrableLabel(new URL(origin).hostname))
  return [
    unknownTypesIn('PASSKEY_REQUIRED_FOR', config.PASSKEY_REQUIRED_FOR, config),
    config.PASSKEY_REQUIRED_FOR.length > 0 &&
      !(config.PASSKEYS_ENABLED && canUsePasskeys(config)) &&
      'PASSKEY_REQUIRED_FOR requires passkeys: set PASSKEYS_ENABLED=true, and set PUBLIC_URL to https and a domain',
    input.WEBAUTHN_RP_ID &&
      isForeignSuffix(config) &&
      `WEBAUTHN_RP_ID must not be ${id}, a public suffix, because browsers reject it: use your own domain below it, or omit the setting`,
    hasOrigins &&
      foreign.length > 0 &&
      `WEBAUTHN_ORIGINS must be https pages on WEBAUTHN_RP_ID (${id}) or its subdomains: ${foreign.join(', ')} is not. List origins of other domains in PASSKEY_RELATED_ORIGINS`,
    input.WEBAUTHN_RP_ID &&
      !hasOrigins &&
      ownOrigins(config).every(isForeign) &&
      'WEBAUTHN_RP_ID must be the host of PUBLIC_URL or FRONTEND_URL, or a parent domain of it, and these must be https; otherwise list their origins in PASSKEY_RELATED_ORIGINS',
    labels.some((label) => !label) &&
      `PASSKEY_RELATED_ORIGINS must be origins on registered domains: ${related.filter((_, at) => !labels[at]).join(', ')} is not`,
    new Set(labels).size > maxLabels &&
      `PASSKEY_RELATED_ORIGINS can have at most ${maxLabels} different names before the public suffix, because browsers ignore others: ${[...new Set(labels)].join(', ')} are more`,
  ]
}

/** Browsers accept a public suffix only on its own host (HTML, 7.1.1.2). */
function isForeignSuffix(config: Config): boolean {
  const { WEBAUTHN_RP_ID: id } = config
  return ownOrigins(config).every((origin) => new URL(origin).hostname !== id) && registrableDomain(id) === null
}

/** Browsers apply the same rules (WebAuthn level 3, 5.1.3). The rules do not apply to Android apps. */
export function canOriginUsePasskeys(
  { WEBAUTHN_RP_ID: id, PASSKEY_RELATED_ORIGINS }: Pick<Config, 'WEBAUTHN_RP_ID' | 'PASSKEY_RELATED_ORIGINS'>,
  origin: string,
): boolean {
  if (origin.startsWith('android:') || PASSKEY_RELATED_ORIGINS.includes(origin)) return true
  const { protocol, hostname } = new URL(origin)
  const isOwn = isAtOrBelow(hostname, id) && !isIP(id.replace(/^\[|\]$/g, ''))
  return isOwn && (protocol === 'https:' || hostname === 'localhost')
}

/** Browsers require a domain name and a secure origin for passkeys. */
export function canUsePasskeys({
  WEBAUTHN_RP_ID: id,
  WEBAUTHN_ORIGINS: origins,
}: Pick<Config, 'WEBAUTHN_RP_ID' | 'WEBAUTHN_ORIGINS'>): boolean {
  const isSafe = (origin: string) => !origin.startsWith('http:') || new URL(origin).hostname === 'localhost'
  return isIP(id.replace(/^\[|\]$/g, '')) === 0 && origins.some(isSafe)
}

/** Passkeys may be possible only on the pages of the front end, or only in apps. */
export const pagesOfferPasskeys = (config: Config): boolean =>
  config.PASSKEYS_ENABLED && canUsePasskeys(config) && canOriginUsePasskeys(config, new URL(config.PUBLIC_URL).origin)

/**
 * The parent domain whose passkeys would work on the hosts of both PUBLIC_URL and FRONTEND_URL. Undefined if the
 * passkeys work on both anyway, or if no domain would.
 */
export function sharedParentDomain(config: Config): string | undefined {
  const { PUBLIC_URL, FRONTEND_URL, given } = config
  const [own, other] = [PUBLIC_URL, FRONTEND_URL].map((address) => new URL(address).hostname)
  if ('WEBAUTHN_RP_ID' in given || !own || !other || isAtOrBelow(other, own)) return undefined
  const domain = registrableDomain(own)
  return domain !== null && domain === registrableDomain(other) ? domain : undefined
}
