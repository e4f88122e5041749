import type { Config } from '../../config/load.ts'
import { androidAppsOf } from '../../config/passkeys.ts'

type Settings = Pick<
  Config,
  'PUBLIC_URL' | 'WEBAUTHN_RP_ID' | 'PASSKEY_RELATED_ORIGINS' | 'PASSKEY_ANDROID_APPS' | 'PASSKEY_APPLE_APPS'
>

export const relatedOriginsPath = '/.well-known/webauthn'
export const androidPath = '/.well-known/assetlinks.json'
export const applePath = '/.well-known/apple-app-site-association'

/** A JSON document that browsers or operating systems read from the domain of the passkeys. */
export interface DomainFile {
  path: string
  content: object
}

/** Returns only the files for which something is configured. */
export function domainFiles(config: Settings): DomainFile[] {
  const { PASSKEY_RELATED_ORIGINS: origins, PASSKEY_APPLE_APPS: apps } = config
  const statements = [...androidAppsOf(config)].map(androidStatement)
  return [
    ...(origins.length > 0 ? [{ path: relatedOriginsPath, content: { origins } }] : []),
    ...(statements.length > 0 ? [{ path: androidPath, content: statements }] : []),
    ...(apps.length > 0 ? [{ path: applePath, content: { webcredentials: { apps } } }] : []),
  ]
}

/** Android requires `handle_all_urls` for passkeys, and `get_login_creds` for passwords. */
const androidStatement = ([name, fingerprints]: [name: string, fingerprints: string[]]) => ({
  relation: ['delegate_permission/common.handle_all_urls', 'delegate_permission/common.get_login_creds'],
  target: { namespace: 'android_app', package_name: name, sha256_cert_fingerprints: fingerprints },
})

/** On any other host, the files would speak for a domain that has no passkeys. */
export const servesDomainFiles = ({ PUBLIC_URL, WEBAUTHN_RP_ID }: Settings): boolean =>
  new URL(PUBLIC_URL).hostname === WEBAUTHN_RP_ID

/** Returns the address at which browsers and operating systems look for the file: the default port, and no prefix. */
export const domainFileUrl = ({ WEBAUTHN_RP_ID }: Settings, path: string): string => `https://${WEBAUTHN_RP_ID}${path}`
