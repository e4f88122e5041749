import type { Config } from '../../../config/load.ts'
import type { Context } from '../../../context.ts'
import { getClient } from '../clients/show-clients.ts'
import { isOidcScope, oidcScopes } from '../oidc-scopes.ts'
import { listResources } from '../resources/show-resource.ts'
import { apache } from './apache.ts'
import { authjs } from './authjs.ts'
import { curl } from './curl.ts'
import { gitea } from './gitea.ts'
import { go } from './go.ts'
import { grafana } from './grafana.ts'
import { iosAndroid } from './ios-android.ts'
import { nextcloud } from './nextcloud.ts'
import { node } from './node.ts'
import { python } from './python.ts'
import type { Sample, SampleTerms } from './sample.ts'
import { spa } from './spa.ts'
import { spring } from './spring.ts'

const samples: Readonly<Record<string, Sample>> = {
  ...{ apache, authjs, curl, gitea, go, grafana, 'ios-android': iosAndroid, nextcloud, node, python, spa, spring },
}

export const sampleNames: readonly string[] = Object.keys(samples)

interface SampleClient {
  client_id: string
  type: keyof Sample
  scopes: readonly string[]
  resources: readonly string[]
  redirect_uris: readonly string[]
}

/** The settings of the program that uses this client. Contains no secret. Throws if there are none for the type of client. */
export async function printSample(ctx: Context, clientId: string, name: string): Promise<string> {
  const client = await getClient(ctx, clientId)
  const print = Object.hasOwn(samples, name) ? samples[name]?.[client.type] : undefined
  if (!print) throw new Error(`--settings must be one of ${sampleNamesFor(client.type).join(', ')}`)
  const terms = termsOf(ctx.config, client, await listResources(ctx))
  if (!terms) throw new Error('The client has no resources: see client-update')
  return print(terms)
}

/** All settings for the client. None for a resource server without resources. */
export function samplesFor(
  config: TermConfig,
  client: SampleClient,
  resources: readonly SampleResource[],
): { name: string; text: string }[] {
  const terms = termsOf(config, client, resources)
  if (!terms) return []
  return sampleNames.flatMap((name) => {
    const print = samples[name]?.[client.type]
    return print ? [{ name, text: print(terms) }] : []
  })
}

type AccessOf = Pick<SampleClient, 'scopes' | 'resources'>

/** The first API of the client, and the scopes that the client has there. Without an API, all its scopes. */
export function firstAccess<Resource extends { id: string; scopes: readonly string[] }>(
  client: AccessOf,
  resources: readonly Resource[],
): { resource: Resource | undefined; scope: string } {
  const resource = resources.find(({ id }) => id === client.resources[0])
  return { resource, scope: client.scopes.filter((one) => !resource || resource.scopes.includes(one)).join(' ') }
}

type TermConfig = Pick<Config, 'PUBLIC_URL' | 'OAUTH_ACCESS_TOKEN_ALG'>
type SampleResource = Pick<
  Awaited<ReturnType<typeof listResources>>[number],
  'id' | 'identifier' | 'token_format' | 'alg' | 'scopes'
>

function termsOf(
  { PUBLIC_URL, OAUTH_ACCESS_TOKEN_ALG }: TermConfig,
  client: SampleClient,
  resources: readonly SampleResource[],
): SampleTerms | undefined {
  const [redirectUri = ''] = client.redirect_uris
  const { resource, scope } = firstAccess(client, resources)
  if (!resource && client.type === 'resource_server') return undefined
  return {
    issuer: PUBLIC_URL,
    clientId: client.client_id,
    scope: redirectUri === '' ? scope : userScope(client.scopes),
    resource: resource?.identifier ?? PUBLIC_URL,
    isJwt: resource?.token_format === 'jwt',
    alg: resource?.alg ?? OAUTH_ACCESS_TOKEN_ALG,
    redirectUri,
    origin: redirectUri && new URL(redirectUri).origin,
  }
}

/** Users grant all of them at once. Those of OpenID Connect come first. */
const userScope = (scopes: readonly string[]): string =>
  [...oidcScopes.filter((one) => scopes.includes(one)), ...scopes.filter((one) => !isOidcScope(one))].join(' ')

const sampleNamesFor = (type: keyof Sample): string[] => sampleNames.filter((name) => samples[name]?.[type])
