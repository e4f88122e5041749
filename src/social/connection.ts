import type { FetchPolicy } from '../adapters/fetch/port.ts'
import type { Context } from '../context.ts'
import { hour } from '../lib/time.ts'
import type { OpenConnection } from './open-connection.ts'
import type { ProviderApp, ProviderFile } from './provider.ts'

/** The provider's metadata and this service's registration with the provider. */
export interface ProviderConnection {
  file: ProviderFile
  app: ProviderApp
  /** The client ids of this service and of the operator's apps. */
  clientIds: readonly string[]
  policy: FetchPolicy
  /** Fetches the discovery document if it was not fetched in the last hour. Never called at startup. */
  open(): Promise<OpenConnection>
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
      // After a failure, the next call refetches the document.
      attempt.catch(() => {
        if (opened === attempt) opened = undefined
      })
      return attempt
    },
  }
}

/** Hosts from the settings may have private IP addresses. Hosts from the provider's metadata must have public ones. */
function policyOf({ hosts }: ProviderFile, app: ProviderApp): FetchPolicy {
  if (!app.issuer) return { hosts, configured: [] }
  const { host, origin } = new URL(app.issuer)
  const further = app.hosts ?? []
  return { hosts: [host, ...further], configured: [origin, ...further.map((one) => `https://${one}`)] }
}
