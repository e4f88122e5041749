import { type RawBuilder, sql } from 'kysely'
import type { Config } from '../../config/load.ts'
import type { Owner } from '../../lib/versioned-cache.ts'
import { isBlocked } from '../../users/block-queries.ts'

/** A service account and the users who own it, as one statement saw them. */
export interface OwningAccount {
  id: string
  name: string
  scopes: string[]
  /** In milliseconds since 1970. */
  ends_at: number | null
  epoch: number
  /** Enabled, not deleted, and not past its end. */
  is_live: boolean
  owners: {
    id: string
    epoch: number
    /** Neither deleted nor blocked. */
    is_live: boolean
  }[]
}

/** The account `a` of a statement, as JSON. */
export const accountColumns = (now: Date): RawBuilder<OwningAccount> => sql`json_build_object(
    'id', a.id, 'name', a.name, 'scopes', a.scopes, 'ends_at', extract(epoch FROM a.ends_at) * 1000, 'epoch', a.epoch,
    'is_live', a.is_enabled AND a.deleted_at IS NULL AND (a.ends_at IS NULL OR a.ends_at > ${now}),
    'owners', coalesce((SELECT json_agg(json_build_object('id', w.id, 'epoch', w.session_epoch,
        'is_live', w.deleted_at IS NULL AND NOT ${isBlocked(now, 'w.id')}) ORDER BY w.id)
      FROM service_account_owners o JOIN users w ON w.id = o.user_id WHERE o.service_account_id = a.id), '[]'))`

type OwnerRule = Pick<Config, 'SERVICE_ACCOUNT_OWNER_RULE'>

const isByOwners = ({ SERVICE_ACCOUNT_OWNER_RULE }: OwnerRule) => SERVICE_ACCOUNT_OWNER_RULE === 'disable'

export const isLiveAccount = (config: OwnerRule, { is_live, owners }: OwningAccount): boolean =>
  is_live && (!isByOwners(config) || owners.some((one) => one.is_live))

/** With the rule `disable`, the users also own the account's credentials, so blocking them ends their use. */
export const ownersOfAccount = (config: OwnerRule, account: OwningAccount): Owner[] =>
  [account, ...(isByOwners(config) ? account.owners : [])].map(({ id, epoch }) => ({ id, epoch: Number(epoch) }))
