import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { errors, Provider } from 'oidc-provider'
import type { MachineSetup, MadeClient } from './support.ts'

export type OracleSetup = MachineSetup & { api: { token_format: string } }

export interface Oracle {
  url: string
  stop(): Promise<void>
}

const machine = ({ clientId, secret }: MadeClient, scope: string) => ({
  client_id: clientId,
  client_secret: secret,
  id_token_signed_response_alg: 'ES256' as const,
  grant_types: ['client_credentials'],
  response_types: [],
  redirect_uris: [],
  scope,
})

const formats = ({ api }: OracleSetup) =>
  api.token_format === 'jwt'
    ? { accessTokenFormat: 'jwt' as const, jwt: { sign: { alg: 'ES256' as const } } }
    : { accessTokenFormat: 'opaque' as const }

/** `oidc-provider` with the clients and the APIs of these setups. */
export async function startOracle(setups: readonly OracleSetup[]): Promise<Oracle> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const scopesOf = ({ application }: OracleSetup) => `${application.read} ${application.write}`
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const provider = new Provider(url, {
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    cookies: { keys: ['none of the requests has cookies'] },
    clients: setups.flatMap((setup) => [
      machine(setup.machine, scopesOf(setup)),
      { ...machine(setup.server, scopesOf(setup)), grant_types: [] },
    ]),
    scopes: setups.flatMap((setup) => scopesOf(setup).split(' ')),
    ttl: { ClientCredentials: () => 600 },
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      revocation: { enabled: true },
      introspection: {
        enabled: true,
        allowedPolicy: (_ctx, { clientId }, token) =>
          token.clientId === clientId ||
          setups.some(
            ({ server, api }) => server.clientId === clientId && 'aud' in token && token.aud === api.identifier,
          ),
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: (_ctx, client) =>
          setups.find((setup) => setup.machine.clientId === client.clientId)?.api.identifier ?? '',
        getResourceServerInfo(_ctx, resource, client) {
          const found = setups.find(
            ({ api, machine: { clientId } }) => api.identifier === resource && clientId === client.clientId,
          )
          if (!found) throw new errors.InvalidTarget()
          return { scope: scopesOf(found), audience: resource, ...formats(found), accessTokenTTL: 600 }
        },
      },
    },
  })
  server.on('request', provider.callback())
  return {
    url,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
