import { recordAudit } from '../../audit/record.ts'
import { onePerDatabase } from '../../context/one-per-database.ts'
import type { Context, CredentialUse } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { addressKey } from '../../lib/address.ts'
import { createNoteWriter } from '../../lib/note-writer.ts'
import { day } from '../../lib/time.ts'
import { mailHolder } from './notices.ts'
import { type KeyUse, type NewNetwork, noteNetworkMail, writeUses } from './use-queries.ts'

const maxNetworks = 50

interface Collected extends CredentialUse {
  count: number
}

/** The notes of keys, by their ids. */
export const useWriterOf = onePerDatabase((ctx) =>
  createNoteWriter<CredentialUse, Collected>({
    clock: ctx.clock,
    start: ({ now, address }) => ({ now, address, count: 1 }),
    add(collected, { now, address }) {
      collected.now = now
      collected.address = address ?? collected.address
      collected.count++
    },
    async write(uses) {
      for (const found of await writeUses(ctx.db, uses.map(toUse), maxNetworks)) await reportNetwork(ctx, found)
    },
    failed: (error) => ctx.log.warn({ err: error }, 'could not record the use of API keys'),
  }),
)

const toUse = ([id, { now, address, count }]: readonly [string, Collected]): KeyUse => ({
  ...{ id, at: new Date(now), count },
  address: address ?? null,
  network: address === undefined ? null : networkOf(address),
})

/** The addresses of one subscriber or small office count as one network. */
const networkOf = (address: string): string =>
  address.includes(':') ? addressKey(address) : `${address.split('.').slice(0, 3).join('.')}.0/24`

/** The email is sent daily at most. */
const reportNetwork = (ctx: Context, { id, name, hint, user_id, service_account_id, ...use }: NewNetwork) =>
  transact(ctx, async (tx) => {
    const details = { key: id, ...(service_account_id && { service_account: service_account_id }) }
    await recordAudit(tx, {
      event: 'api_key_used_from_new_network',
      target: user_id ?? undefined,
      details: { ...details, network: use.network },
    })
    const now = tx.clock.date()
    if (!(await noteNetworkMail(tx.db, id, now, new Date(now.getTime() - day)))) return
    const holder = { userId: user_id, accountId: service_account_id }
    await mailHolder(tx, holder, { name, hint }, ['api_key_new_network', { ip: use.address }])
  })
