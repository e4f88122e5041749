import type { Context, CredentialProvider, CredentialView, UserRow } from '../../context.ts'
import { sha256Bytes } from '../../lib/hash.ts'
import { type FoundKey, findKeysByHash } from './credential-queries.ts'
import { findLiveKeyNames } from './key-queries.ts'
import { isKey } from './key-text.ts'
import { isLiveAccount, type OwningAccount, ownersOfAccount } from './live-account-queries.ts'
import { rejectionsOf } from './record-rejection.ts'
import { useWriterOf } from './use-writer.ts'

/** The kind of credential that this module provides. */
export const keyCredentials = (ctx: Context): CredentialProvider => ({
  kind: 'api_key',
  recognizes: isKey,
  async read(texts) {
    const byHash = new Map(texts.map((text) => [sha256Bytes(text).toString('hex'), text]))
    const hashes = [...byHash.keys()].map((hash) => Buffer.from(hash, 'hex'))
    const views = new Map<string, CredentialView>()
    for (const found of await findKeysByHash(ctx, hashes, ctx.clock.date())) {
      const view = await viewOf(ctx, found)
      const text = byHash.get(found.hash)
      if (view && text !== undefined) views.set(text, view)
    }
    return views
  },
  heldBy: async (db, userId) => ({
    names: await findLiveKeyNames(db, userId, ctx.clock.date()),
    url: `${ctx.config.PUBLIC_URL}/account/keys`,
  }),
  noteUse(cached, use) {
    if (cached.view.key) useWriterOf(ctx).note(cached.view.key.id, use)
  },
  noteRejection: rejectionsOf(ctx),
})

const viewOf = (ctx: Context, found: FoundKey): Promise<CredentialView | undefined> | CredentialView | undefined => {
  if (found.user) return personalView(ctx, found, found.user)
  return found.account ? serviceView(ctx, found, found.account) : undefined
}

async function personalView(ctx: Context, found: FoundKey, user: UserRow): Promise<CredentialView | undefined> {
  if (!ctx.config.API_KEY_PERSONAL) return undefined
  return {
    ...keyMembers(found, 'personal'),
    user,
    serviceAccount: null,
    scopes: found.scopes,
    expiresAt: timeOf(found.ends_at),
    isPaused: await lacksFactor(ctx, user),
    owners: [{ id: user.id, epoch: Number(user.session_epoch) }, ownerOf(found)],
  }
}

function serviceView({ config }: Context, found: FoundKey, account: OwningAccount): CredentialView | undefined {
  if (!isLiveAccount(config, account)) return undefined
  const ends = [timeOf(found.ends_at), account.ends_at].filter((end) => end !== null)
  return {
    ...keyMembers(found, 'service'),
    user: null,
    serviceAccount: { id: account.id, name: account.name },
    scopes: found.scopes.filter((scope) => account.scopes.includes(scope)),
    expiresAt: ends.length === 0 ? null : Math.min(...ends),
    isPaused: false,
    owners: [...ownersOfAccount(config, account), ownerOf(found)],
  }
}

/** The methods are read later than the user, but removing one raises the user's epoch. */
async function lacksFactor({ secondFactor, db }: Context, user: UserRow): Promise<boolean> {
  const isRequired = secondFactor.isRequiredOf(user)
  return isRequired && (await secondFactor.methodsOf(db, user.id)).length === 0
}

const keyMembers = ({ id, name, ip_ranges, last_used_at, grants }: FoundKey, kind: 'personal' | 'service') => ({
  kind: 'api_key' as const,
  ...{ client: null, resource: null, issuedAt: null },
  id,
  key: { id, name, kind, lastUsedAt: timeOf(last_used_at) },
  ipRanges: ip_ranges,
  grants,
})

const ownerOf = ({ id, epoch }: { id: string; epoch: number }) => ({ id, epoch: Number(epoch) })

const timeOf = (date: Date | null): number | null => (date === null ? null : date.getTime())
