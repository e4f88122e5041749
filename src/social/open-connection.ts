import { createRemoteJWKSet, customFetch as joseFetch } from 'jose'
import * as client from 'openid-client'
import type { FetchPolicy } from '../adapters/fetch/port.ts'
import type { Context } from '../context.ts'
import { second } from '../lib/time.ts'
import type { OpenConnection } from './connection.ts'
import type { ProviderApp, ProviderFile } from './provider.ts'

export async function openConnection(
  ctx: Context,
  file: ProviderFile,
  app: ProviderApp,
  policy: FetchPolicy,
): Promise<OpenConnection> {
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
  // The library uses the system clock. The skew is the difference between the database clock and the system clock.
  const clockSkew = Math.round((ctx.clock.now() - Date.now()) / second)
  return client.discovery(issuer, app.clientId, { [client.clockSkew]: clockSkew }, authOf(app, true), {
    [client.customFetch]: customFetch,
    execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  })
}

/** Chooses the client authentication method according to the provider's metadata. */
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
