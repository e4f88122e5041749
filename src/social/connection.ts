import { createRemoteJWKSet, customFetch as joseFetch, type RemoteJWKSet } from 'jose'
import * as client from 'openid-client'
import type { FetchPolicy } from '../adapters/fetch/port.ts'
import type { Context } from '../context.ts'
import { hour, second } from '../lib/time.ts'
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
  client: client.Configuration
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
      const attempt = openNow(ctx, file, app, policy)
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

async function openNow(ctx: Context, file: ProviderFile, app: ProviderApp, policy: FetchPolicy) {
  const customFetch = fetchFor(ctx, policy)
  const configuration = file.oauth
    ? new client.Configuration(file.oauth.server, app.clientId, undefined, authOf(app, false))
    : await discover(ctx, file, app, customFetch)
  configuration[client.customFetch] = customFetch
  const { issuer, jwks_uri } = configuration.serverMetadata()
  const keys = jwks_uri ? createRemoteJWKSet(new URL(jwks_uri), { [joseFetch]: customFetch }) : undefined
  return { client: configuration, issuer, keys }
}

function discover(ctx: Context, file: ProviderFile, app: ProviderApp, customFetch: client.CustomFetch) {
  const issuer = new URL(app.issuer ?? file.openId?.issuer(ctx.config) ?? '')
  // The database's clock decides what has expired; the library asks that of this machine.
  const clockSkew = Math.round((ctx.clock.now() - Date.now()) / second)
  return client.discovery(issuer, app.clientId, { [client.clockSkew]: clockSkew }, authOf(app, true), {
    [client.customFetch]: customFetch,
    execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  })
}

/** In the way that the provider says it takes; OpenID Connect providers that say nothing take the header. */
const authOf =
  (app: ProviderApp, isDiscovered: boolean): client.ClientAuth =>
  async (server, metadata, body, headers) => {
    const secret = await app.secret()
    const inHeader = server.token_endpoint_auth_methods_supported?.includes('client_secret_basic') ?? isDiscovered
    const authenticate = inHeader ? client.ClientSecretBasic(secret) : client.ClientSecretPost(secret)
    await authenticate(server, metadata, body, headers)
  }

const fetchFor =
  (ctx: Context, policy: FetchPolicy) =>
  (url: string, { method, headers, body, signal }: FetchInit): Promise<Response> =>
    ctx.fetch(
      url,
      {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        body: body === undefined || body === null ? undefined : String(body),
        signal: signal ?? undefined,
      },
      policy,
    )

interface FetchInit {
  method: string
  headers: Record<string, string> | Headers
  body?: unknown
  signal?: AbortSignal | undefined
}
