import { operator } from '../admin/principal.ts'
import { recordAudit } from '../audit/record.ts'
import type { Context } from '../context.ts'
import { iso } from '../lib/time.ts'
import { findBlocks } from '../users/block-queries.ts'
import { pictureAddress } from '../users/picture-address.ts'
import { findGrantsOf, type NamedGrant } from '../users/role-queries.ts'
import { findRelyingPartyId } from '../webauthn/former-relying-party.ts'
import type { PasskeyRow } from '../webauthn/queries.ts'
import { findIdentitiesToExport, findPasskeysToExport, findUsersToExport, type ImportedUserRow } from './queries.ts'
import type { ImportRecord } from './record.ts'

const batchRows = 500
const firstId = '00000000-0000-0000-0000-000000000000'

/**
 * Writes all users in Wardenry's format, one per line, from a single snapshot. `withHashes` includes password hashes
 * and other secrets.
 */
export async function exportUsers(
  ctx: Context,
  { withHashes }: { withHashes: boolean },
  write: (lines: string) => Promise<void>,
): Promise<number> {
  await recordAudit(ctx, { event: 'all_users_exported', ...operator, details: { with_hashes: withHashes } })
  return ctx.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (db) => {
      let [after, count] = [firstId, 0]
      for (;;) {
        const rows = await findUsersToExport(db, after, batchRows)
        const last = rows.at(-1)
        if (!last) return count
        const records = await recordsOf({ ...ctx, db }, rows, withHashes)
        await write(records.map((record) => `${JSON.stringify(record)}\n`).join(''))
        after = last.id
        count += rows.length
      }
    })
}

async function recordsOf(ctx: Context, rows: readonly ImportedUserRow[], withHashes: boolean): Promise<object[]> {
  const ids = rows.map(({ id }) => id)
  const identities = Map.groupBy(await findIdentitiesToExport(ctx.db, ids), ({ user_id }) => user_id)
  const passkeys = Map.groupBy(await findPasskeysToExport(ctx.db, ids), ({ user_id }) => user_id)
  const rpId = (await findRelyingPartyId(ctx.db)) ?? ctx.config.WEBAUTHN_RP_ID
  const blocks = new Map((await findBlocks(ctx.db, ids, ctx.clock.date())).map((block) => [block.user_id, block]))
  const grants = Map.groupBy(await findGrantsOf(ctx.db, ids, ctx.clock.date()), ({ user_id }) => user_id)
  const members = ctx.modules.importMembers().filter(({ isSecret }) => withHashes || !isSecret)
  const ofModules: [string, ReadonlyMap<string, unknown>][] = []
  for (const member of members) ofModules.push([member.name, await member.read(ctx, ids)])
  return rows.map((row) => {
    const block = blocks.get(row.id)
    return withoutEmpty({
      ...recordOf(ctx, row),
      password_hash: withHashes ? row.password_hash : undefined,
      blocked: block && { reason: block.reason, since: iso(block.since), until: block.until && iso(block.until) },
      identities: identities.get(row.id)?.map(identityOf),
      passkeys: passkeys.get(row.id)?.map((passkey) => passkeyOf(passkey, rpId)),
      roles: grants.get(row.id)?.map(roleOf),
      ...Object.fromEntries(ofModules.map(([name, values]) => [name, values.get(row.id)])),
    })
  })
}

const recordOf = ({ config }: Context, row: ImportedUserRow): ImportRecord => ({
  ...row,
  picture: pictureAddress(config, row.picture),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at),
  deleted_at: row.deleted_at && iso(row.deleted_at),
})

const roleOf = ({ role, until }: NamedGrant) => (until ? { role, until: iso(until) } : role)

type Identity = Awaited<ReturnType<typeof findIdentitiesToExport>>[number]

const identityOf = ({ user_id: _owner, linked_at, last_used_at, ...identity }: Identity) => ({
  ...identity,
  linked_at: iso(linked_at),
  last_used_at: iso(last_used_at),
})

/** Contains no secret, because only the authenticator has the private key. */
const passkeyOf = ({ id: _id, user_id: _owner, be, bs, uv_seen, ...row }: PasskeyRow, rp_id: string) => ({
  rp_id,
  credential_id: row.credential_id.toString('base64url'),
  public_key: row.public_key.toString('base64url'),
  synced: be,
  backed_up: bs,
  verified: uv_seen,
  discoverable: row.discoverable,
  sign_count: Number(row.sign_count),
  ...(row.transports && { transports: row.transports }),
  aaguid: row.aaguid,
  name: row.name,
  created_via: row.created_via,
  created_at: iso(row.created_at),
  ...(row.last_used_at && { last_used_at: iso(row.last_used_at) }),
})

/** Empty members have the same meaning as absent ones. */
const withoutEmpty = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).filter(([, value]) => {
      if (value === null || value === undefined || value === '') return false
      return typeof value !== 'object' || Object.keys(value).length > 0
    }),
  )
