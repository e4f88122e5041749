import type { Config } from '../../../config/load.ts'
import { sameResource } from '../../../lib/same-resource.ts'
import type { Owner } from '../../../lib/versioned-cache.ts'
import type { ResourceRow } from '../directory-queries.ts'
import type { SigningAlg, TokenFormat } from '../rows.ts'

/** An API for which tokens are issued. */
export interface Resource {
  readonly id: string
  readonly identifier: string
  readonly aliases: readonly string[]
  readonly name: string
  readonly applicationId: string
  /** Of the resource, not of its application. */
  readonly epoch: number
  readonly tokenFormat: TokenFormat
  /** In milliseconds. Null: the setting. */
  readonly accessTtl: number | null
  readonly alg: SigningAlg
  /** The resource and its application. */
  readonly owners: readonly [Owner, Owner]
  /** Tokens of an earlier epoch have ended. */
  readonly tokensFromEpoch: number
}

export interface ResourceSet {
  /** The enabled resource with this identifier or alias. */
  find(identifier: string): Resource | undefined
  ofId(id: string): Resource | undefined
}

export function createResourceSet({ config }: { config: Config }, rows: readonly ResourceRow[]): ResourceSet {
  const resources = rows.filter(({ is_live }) => is_live).map((row) => toResource(config, row))
  const byId = new Map(resources.map((resource) => [resource.id, resource]))
  const byIdentifier = new Map(
    resources.flatMap((resource) =>
      [resource.identifier, ...resource.aliases].map((one) => [sameResource(one), resource] as const),
    ),
  )
  return {
    find: (identifier) => byIdentifier.get(sameResource(identifier)),
    ofId: (id) => byId.get(id),
  }
}

const toResource = (config: Config, row: ResourceRow): Resource => ({
  id: row.id,
  identifier: row.identifier,
  aliases: row.aliases,
  name: row.name,
  applicationId: row.application_id,
  epoch: row.epoch,
  tokenFormat: row.token_format,
  accessTtl: row.access_ttl === null ? null : row.access_ttl * 1000,
  alg: row.alg ?? config.OAUTH_ACCESS_TOKEN_ALG,
  owners: [
    { id: row.id, epoch: row.epoch },
    { id: row.application_id, epoch: row.application_epoch },
  ],
  tokensFromEpoch: row.tokens_from_epoch,
})
