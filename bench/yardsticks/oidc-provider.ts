import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type Configuration } from 'oidc-provider'
import { respond } from '../process/calls.ts'
import { MapAdapter } from './map-adapter.ts'
import { connectAdapter, PostgresAdapter } from './postgres-adapter.ts'

export interface OidcProviderOptions {
  clients: { id: string; secret: string }[]
  server: { id: string; secret: string }
  scope: string
  /** The API with opaque tokens. All others have JWTs. */
  opaqueApi: string
  /** In memory if it is undefined. */
  databaseUrl?: string
}

// The yardstick for the authorization server: oidc-provider, configured alike, on a node:http server.
respond('listen', async ({ clients, server, scope, opaqueApi, databaseUrl }: OidcProviderOptions) => {
  if (databaseUrl !== undefined) await connectAdapter(databaseUrl)
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const method = { redirect_uris: [], response_types: [], token_endpoint_auth_method: 'client_secret_post' } as const
  const configuration: Configuration = {
    adapter: databaseUrl === undefined ? MapAdapter : PostgresAdapter,
    clients: [...clients, server].map(({ id, secret }) => ({
      client_id: id,
      client_secret: secret,
      grant_types: ['client_credentials'],
      ...method,
      id_token_signed_response_alg: 'ES256',
    })),
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'ES256', use: 'sig' }] },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => ({
          scope,
          audience: resource,
          accessTokenTTL: 600,
          accessTokenFormat: resource === opaqueApi ? 'opaque' : 'jwt',
          ...(resource !== opaqueApi && { jwt: { sign: { alg: 'ES256' } } }),
        }),
      },
    },
  }
  const provider = new Provider('https://auth.example.test', configuration)
  const listening = createServer({ keepAliveTimeout: 72_000 }, provider.callback())
  return new Promise<number>((resolve) => {
    listening.listen(0, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port))
  })
})
