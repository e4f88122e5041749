import type { Config } from '../config/load.ts'
import { isBelowApi } from '../http/responses/redirects.ts'
import { isWeb } from '../lib/return-address.ts'
import { isLocal, isValidAddress } from './application-set.ts'
import type { Address, ApplicationRow } from './queries.ts'

export interface EntryWithoutEffect {
  /** The key of an application, or the name of a setting. */
  of: string
  address: string
  reason: string
}

/** Finds addresses that never decide whether a URL or an origin is accepted. Deleted applications are left out. */
export function findWithoutEffect(config: Config, applications: readonly ApplicationRow[]): EntryWithoutEffect[] {
  const declared = config.ALLOWED_REDIRECTS.flatMap((address) =>
    entry('ALLOWED_REDIRECTS', address, ofApi(config, address)),
  )
  const stored = applications
    .filter(({ deleted_at }) => !deleted_at)
    .flatMap((application) =>
      application.addresses.flatMap((one) =>
        entry(application.key, one.address, reasonFor(config, application.is_development, one)),
      ),
    )
  return [...declared, ...stored]
}

const entry = (of: string, address: string, reason: string | undefined): EntryWithoutEffect[] =>
  reason === undefined ? [] : [{ of, address, reason }]

function reasonFor(config: Config, isDevelopment: boolean, one: Address): string | undefined {
  if (!isValidAddress(one)) return 'does not have the form of an address'
  if (isLocal(new URL(one.address)) && !isDevelopment) return 'is on this machine, which requires --development'
  if (one.kind === 'return' && ofApi(config, one.address)) return ofApi(config, one.address)
  const setting = settingWith(config, one)
  return setting && `is in ${setting}, which comes first, also while the application is disabled`
}

const ofApi = ({ PUBLIC_URL }: Config, address: string): string | undefined =>
  isWeb(new URL(address).protocol) && isBelowApi(PUBLIC_URL, new URL(address))
    ? 'is below the API of this service, which is no return address'
    : undefined

function settingWith(config: Config, { kind, address }: Address): string | undefined {
  const list = kind === 'return' ? 'ALLOWED_REDIRECTS' : 'CORS_ORIGINS'
  if (config[list].includes(address)) return list
  return (['PUBLIC_URL', 'FRONTEND_URL'] as const).find((name) => new URL(config[name]).origin === address)
}
