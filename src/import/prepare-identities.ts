import type { Config } from '../config/load.ts'
import { newId } from '../lib/ids.ts'
import { timeField } from '../lib/time-field.ts'
import { providerFiles } from '../social/providers/index.ts'
import { lineField } from '../users/fields.ts'
import type { IdentityRow } from './queries.ts'
import type { ImportRecord } from './record.ts'

type Identity = NonNullable<ImportRecord['identities']>[number]

interface Owner {
  id: string
  created_at: Date
}

/** `lost` lists identities with an unknown provider or no issuer, and additional identities with the same provider. */
export function prepareIdentities(
  config: Config,
  given: readonly Identity[],
  owner: Owner,
): { identities: IdentityRow[]; lost: string[] } {
  const identities: IdentityRow[] = []
  const lost: string[] = []
  for (const identity of given) {
    const issuer = identity.issuer ?? issuerOf(config, identity.provider)
    const isKnown = providerFiles.some(({ name }) => name === identity.provider)
    if (!isKnown) lost.push('identity of an unknown provider')
    else if (!issuer) lost.push(`identity of ${identity.provider} without an issuer`)
    else if (identities.some(({ provider }) => provider === identity.provider))
      lost.push(`second identity of ${identity.provider}`)
    else identities.push(rowOf(identity, issuer, owner))
  }
  return { identities, lost }
}

function rowOf(identity: Identity, issuer: string, owner: Owner): IdentityRow {
  const linked_at = timeField('identities.linked_at', identity.linked_at) ?? owner.created_at
  return {
    id: newId(),
    user_id: owner.id,
    provider: identity.provider,
    issuer,
    subject: identity.subject,
    email: identity.email ?? null,
    name: lineField('identities.name', identity.name ?? '', 200),
    picture: identity.picture?.startsWith('https://') ? identity.picture : '',
    linked_at,
    last_used_at: timeField('identities.last_used_at', identity.last_used_at) ?? linked_at,
  }
}

/** If several Microsoft tenants are allowed, the issuer depends on the user, so the record must contain the issuer. */
function issuerOf(config: Config, provider: string): string | undefined {
  const file = providerFiles.find(({ name }) => name === provider)
  const issuer = file?.app(config)?.issuer ?? file?.openId?.issuer(config) ?? file?.oauth?.server.issuer
  return issuer && !/\/(common|organizations|consumers)\//.test(issuer) ? issuer : undefined
}
