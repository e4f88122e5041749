import type { RemoteJWKSet } from 'jose'
import type { Configuration } from 'openid-client'
import type { FetchPolicy } from '../adapters/fetch/port.ts'
import type { Context } from '../context.ts'
import { hour } from '../lib/time.ts'
import type { ProviderApp, ProviderFile } from './provider.ts'

/** How a provider is spoken to: what it has told about itself, and our name there. */
export interface Connection {
  file: ProviderFile
  app: ProviderApp
  /** Client ids whose tokens count: our own, and those of the operator's apps. */
  clientIds: readonly string[]
  policy: FetchPolicy
  /** Asks for the discovery document when it is older than an hour; never at start. */
  open(): Promise<OpenConnection>
}

export interface OpenConnection {
  client: Configuration
  issuer: string
  /** Of a provider that signs ID tokens. Asked for when needed, kept for ten minutes. */
  keys: RemoteJWKSet | undefined
}

export function createConnection(ctx: Context, file: ProviderFile, app: ProviderApp): Connection {
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
      // The library is loaded with the first visit: whoever has no use for it does not pay for it.
      const attempt = import('./open-connection.ts').then(({ openConnection }) =>
        openConnection(ctx, file, app, policy),
      )
      opened = attempt
      // What failed is tried again with the next visitor.
      attempt.catch(() => {
        if (opened === attempt) opened = undefined
      })
      return attempt
    },
  }
}

/** What the operator has written down may be in a private network; what a provider says about itself may not. */
function policyOf({ hosts }: ProviderFile, app: ProviderApp): FetchPolicy {
  if (!app.issuer) return { hosts, configured: [] }
  const { host, origin } = new URL(app.issuer)
  const further = app.hosts ?? []
  return { hosts: [host, ...further], configured: [origin, ...further.map((one) => `https://${one}`)] }
}
