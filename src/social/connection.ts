import type { RemoteJWKSet } from 'jose'
import type { Configuration } from 'openid-client'
import type { FetchPolicy } from '../adapters/fetch/port.ts'
import type { Context } from '../context.ts'
import { hour } from '../lib/time.ts'
import type { ProviderApp, ProviderFile } from './provider.ts'

/** The provider's metadata, and our registration there. */
export interface ProviderConnection {
  file: ProviderFile
  app: ProviderApp
  /** Our own, and those of the operator's apps. */
  clientIds: readonly string[]
  policy: FetchPolicy
  /** Fetches the discovery document if it is older than an hour; never at start. */
  open(): Promise<OpenConnection>
}

export interface OpenConnection {
  client: Configuration
  issuer: string
  /** For providers that sign ID tokens. Fetched on demand and cached for ten minutes. */
  keys: RemoteJWKSet | undefined
}

export function createConnection(ctx: Context, file: ProviderFile, app: ProviderApp): ProviderConnection {
  const policy = policyOf(file, app)
  let opened: Promise<OpenConnection> | undefined
  let openedAt = 0
  return {
    file,
    app,
    clientIds: [app.clientId, ...app.extraClientIds],
    policy,
    open: () => {
      if (opened && ctx.clock.now() - openedAt < hour) return opened
      openedAt = ctx.clock.now()
      const attempt = import('./open-connection.ts').then(({ openConnection }) =>
        openConnection(ctx, file, app, policy),
      )
      opened = attempt
      // Failures are retried with the next visitor.
      attempt.catch(() => {
        if (opened === attempt) opened = undefined
      })
      return attempt
    },
  }
}

/** Addresses from the settings may be private; those from provider metadata must not. */
function policyOf({ hosts }: ProviderFile, app: ProviderApp): FetchPolicy {
  if (!app.issuer) return { hosts, configured: [] }
  const { host, origin } = new URL(app.issuer)
  const further = app.hosts ?? []
  return { hosts: [host, ...further], configured: [origin, ...further.map((one) => `https://${one}`)] }
}
