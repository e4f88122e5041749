import type { Configuration } from 'openid-client'
import * as client from 'openid-client'
import type { FetchPolicy } from '../adapters/fetch/port.ts'
import type { Context } from '../context.ts'
import { second } from '../lib/time.ts'
import type { ProviderApp, ProviderFile } from './provider.ts'
import { type ProviderFetch, providerFetch, withBody } from './provider-fetch.ts'
import type { ProviderKeys } from './provider-keys.ts'
import { providerKeys } from './provider-keys.ts'
import { claimsOf, claimText } from './read-members.ts'

export interface OpenConnection {
  client: Configuration
  issuer: string
  /** Present for providers that sign ID tokens. The keys are fetched on demand and cached for ten minutes. */
  keys: ProviderKeys | undefined
}

export async function openConnection(
  ctx: Context,
  file: ProviderFile,
  app: ProviderApp,
  policy: FetchPolicy,
): Promise<OpenConnection> {
  const customFetch = providerFetch(ctx, policy)
  const configuration = file.oauth
    ? new client.Configuration(file.oauth.server, app.clientId, undefined, authOf(app, false))
    : await discover(ctx, file, app, customFetch)
  configuration[client.customFetch] = customFetch
  const { issuer, jwks_uri } = configuration.serverMetadata()
  const keys = jwks_uri ? providerKeys(ctx.clock, jwks_uri, customFetch) : undefined
  return { client: configuration, issuer, keys }
}

function discover(ctx: Context, file: ProviderFile, app: ProviderApp, fetch: ProviderFetch) {
  const issuer = new URL(app.issuer ?? file.openId?.issuer(ctx.config) ?? '')
  // The library uses the system clock. The skew is the difference between the database clock and the system clock.
  const clockSkew = Math.round((ctx.clock.now() - Date.now()) / second)
  return client.discovery(issuer, app.clientId, { [client.clockSkew]: clockSkew }, authOf(app, true), {
    [client.customFetch]: async (url, init) => withBody(await fetch(url, init), inTenant(issuer)),
    execute: issuer.protocol === 'http:' ? [client.allowInsecureRequests] : [],
  })
}

/**
 * In Microsoft's national clouds, even the document of a single tenant contains the placeholder, which the library
 * accepts only from Microsoft's worldwide host.
 */
const inTenant =
  (issuer: URL) =>
  (body: object): object => {
    const tenant = /^\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\//.exec(issuer.pathname)?.[1]
    const named = claimText(claimsOf(body).issuer).replace('{tenantid}', tenant ?? '{tenantid}')
    return named === issuer.href ? { ...body, issuer: named } : body
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
