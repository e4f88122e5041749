import type { Context } from '../../../context.ts'
import { getClient } from '../clients/show-clients.ts'
import { listResources } from '../resources/show-resource.ts'
import { apache } from './apache.ts'
import { curl } from './curl.ts'
import { go } from './go.ts'
import { node } from './node.ts'
import { python } from './python.ts'
import type { Sample } from './sample.ts'
import { spring } from './spring.ts'

const samples: Readonly<Record<string, Sample>> = { apache, curl, go, node, python, spring }

export const sampleNames: readonly string[] = Object.keys(samples)

/** The settings of the program that uses this client. Contains no secret. Throws if there are none for the type of client. */
export async function printSample(ctx: Context, clientId: string, name: string): Promise<string> {
  const client = await getClient(ctx, clientId)
  const sample = Object.hasOwn(samples, name) ? samples[name] : undefined
  const print = sample?.[client.type]
  if (!print) throw new Error(`--settings must be one of ${namesFor(client.type).join(', ')}`)
  const resource = (await listResources(ctx)).find(({ id }) => id === client.resources[0])
  if (!resource && client.type === 'resource_server') throw new Error('The client has no resources: see client-update')
  const { PUBLIC_URL, OAUTH_ACCESS_TOKEN_ALG } = ctx.config
  return print({
    issuer: PUBLIC_URL,
    clientId: client.client_id,
    scope: client.scopes.join(' '),
    resource: resource?.identifier ?? PUBLIC_URL,
    isJwt: resource?.token_format === 'jwt',
    alg: resource?.alg ?? OAUTH_ACCESS_TOKEN_ALG,
  })
}

const namesFor = (type: keyof Sample): string[] => sampleNames.filter((name) => samples[name]?.[type])
