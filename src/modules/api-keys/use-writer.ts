import { recordAudit } from '../../audit/record.ts'
import type { Context, CredentialUse } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { addressKey } from '../../lib/address.ts'
import { day, minute } from '../../lib/time.ts'
import { mailHolder } from './notices.ts'
import { type KeyUse, type NewNetwork, noteNetworkMail, writeUses } from './use-queries.ts'

const maxCollected = 50_000
const maxNetworks = 50
const perStatement = 1_000

export interface UseWriter {
  /** Does not write. */
  note(keyId: string, use: CredentialUse): void
  /** Writes the uses of keys whose last write was a minute ago, or with `all`, of all keys. */
  flush(all?: boolean): Promise<void>
}

interface Collected extends CredentialUse {
  count: number
}

/** Each process has one, for the database that it uses. */
const writers = new WeakMap<object, UseWriter>()

export function useWriterOf(ctx: Context): UseWriter {
  const found = writers.get(ctx.sessions)
  if (found) return found
  const writer = createUseWriter(ctx)
  writers.set(ctx.sessions, writer)
  return writer
}

function createUseWriter(ctx: Context): UseWriter {
  const collected = new Map<string, Collected>()
  let writtenAt = new Map<string, number>()
  return {
    note(keyId, { now, address }) {
      const { count = 0, address: former } = collected.get(keyId) ?? {}
      if (count === 0 && collected.size >= maxCollected) return
      collected.set(keyId, { now, address: address ?? former, count: count + 1 })
    },
    async flush(all = false) {
      const before = ctx.clock.now() - minute
      writtenAt = new Map([...writtenAt].filter(([, at]) => at > before))
      const due = [...collected].filter(([id]) => all || !writtenAt.has(id)).slice(0, perStatement)
      if (due.length === 0) return
      for (const [id] of due) {
        collected.delete(id)
        writtenAt.set(id, ctx.clock.now())
      }
      try {
        for (const found of await writeUses(ctx.db, due.map(toUse), maxNetworks)) await reportNetwork(ctx, found)
      } catch (error) {
        // There is no retry, because the next use of the key is recorded anyway.
        ctx.log.warn({ err: error }, 'could not record the use of API keys')
      }
    },
  }
}

const toUse = ([id, { now, address, count }]: [string, Collected]): KeyUse => ({
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
