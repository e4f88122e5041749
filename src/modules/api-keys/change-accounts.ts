import type { Context, Transaction } from '../../context.ts'
import { invalidField } from '../../lib/errors.ts'
import { looksLikeId, newId } from '../../lib/ids.ts'
import { readPresent } from '../../lib/read-all.ts'
import { iso } from '../../lib/time.ts'
import { timeField } from '../../lib/time-field.ts'
import { lineField } from '../../users/fields.ts'
import {
  type AccountRow,
  countAccounts,
  findOwnerIds,
  findRecipients,
  insertAccount,
  replaceOwners,
  updateAccount,
} from './account-queries.ts'
import { asManager, type ManagerRequest, withAccount } from './as-manager.ts'
import { revokeKeys } from './change-keys.ts'
import { maxDescription, maxOwners, readName } from './read-input.ts'
import { assertScopes, readScopes } from './scopes.ts'

export interface AccountInput {
  name?: string
  description?: string
  /** The ids of the owners. */
  owners?: string[]
  scopes?: string[]
  ends_at?: string | null
  enabled?: boolean
}

export type AccountRequest = ManagerRequest & { id: string }

const maxAccounts = 500

export async function createAccount(ctx: Context, request: ManagerRequest, input: AccountInput): Promise<string> {
  const given = readAccount(input, ctx.clock.now())
  const { name = '', description = '', owners = [], scopes = [], ends_at = null, enabled = true } = given
  return asManager(ctx, request, { deed: 'create_service_account', users: owners }, async (managing) => {
    const { tx, allowed, audit } = managing
    assertScopes(allowed, scopes)
    await assertUsers(tx, owners)
    if ((await countAccounts(tx.db)) >= maxAccounts)
      throw invalidField('name', `is one too many: there can be ${maxAccounts} service accounts`)
    const [id, now] = [newId(), tx.clock.date()]
    const row = { id, name, description, scopes, ends_at, is_enabled: enabled }
    await insertAccount(tx.db, { ...row, created_at: now, updated_at: now })
    await replaceOwners(tx.db, id, owners)
    await audit('service_account_created', { service_account: id, ...shown({ ...row, owners }) })
    return id
  })
}

/** An actor who may not give the scopes of the account can only disable it. */
export function updateAccountOf(ctx: Context, request: AccountRequest, input: AccountInput): Promise<void> {
  const given = readAccount(input, ctx.clock.now())
  const attempt = { deed: 'update_service_account', users: given.owners ?? [] }
  return withAccount(ctx, request, attempt, async ({ tx, allowed, audit, account }) => {
    const before = shown({ ...account, owners: await findOwnerIds(tx.db, account.id) })
    const { name = account.name, description = account.description, scopes = account.scopes } = given
    const { owners = before.owners, ends_at = account.ends_at, enabled = account.is_enabled } = given
    const row = { name, description, scopes, ends_at, is_enabled: enabled }
    const after = shown({ ...row, owners })
    const changed = Object.keys(after).filter((key) => textOf(before, key) !== textOf(after, key))
    if (changed.length === 0) return
    const isOnlyDisabled = changed.join() === 'enabled' && !enabled
    if (!isOnlyDisabled) assertScopes(allowed, [...account.scopes, ...scopes])
    if (given.owners) await assertUsers(tx, owners)
    await updateAccount(tx.db, account.id, { ...row, updated_at: tx.clock.date() })
    if (given.owners) await replaceOwners(tx.db, account.id, owners)
    const event = isOnlyDisabled ? 'service_account_disabled' : 'service_account_updated'
    await audit(event, { changed, before: pick(before, changed), after: pick(after, changed) })
  })
}

/** Also ends its keys. */
export const deleteAccount = (ctx: Context, request: AccountRequest): Promise<void> =>
  withAccount(ctx, request, { deed: 'delete_service_account' }, async ({ tx, actor, audit, account }) => {
    const now = tx.clock.date()
    const holder = { userId: null, accountId: account.id }
    const { device } = request.principal
    await revokeKeys(tx, { holder, actor, device, reason: 'service_account_deleted' })
    await updateAccount(tx.db, account.id, { deleted_at: now, updated_at: now, is_enabled: false })
    await audit('service_account_deleted', {})
  })

const readAccount = (input: AccountInput, now: number) => ({
  ...readPresent((read) => ({
    name: read(input.name, readName),
    description: read(input.description, (text) => lineField('description', text, maxDescription)),
    owners: read(input.owners, readOwners),
    scopes: read(input.scopes, readScopes),
    ends_at: read(input.ends_at, (text) => readEnd(text, now)),
  })),
  enabled: input.enabled,
})

function readOwners(given: readonly string[]): string[] {
  const owners = [...new Set(given)].toSorted()
  if (owners.length < 1 || owners.length > maxOwners || !owners.every(looksLikeId))
    throw invalidField('owners', `must contain the ids of one to ${maxOwners} users`)
  return owners
}

function readEnd(text: string | null, now: number): Date | null {
  const time = timeField('ends_at', text) ?? null
  if (time && time.getTime() <= now) throw invalidField('ends_at', 'must be in the future; to stop now, disable it')
  return time
}

/** The users are locked, so none of them can be deleted before the commit. */
async function assertUsers(tx: Transaction, ids: readonly string[]): Promise<void> {
  const found = ids.length === 0 ? [] : await findRecipients(tx.db, ids)
  if (ids.length === 0 || found.length < ids.length)
    throw invalidField('owners', 'must contain ids of users, at least one')
}

type Terms = Pick<AccountRow, 'name' | 'description' | 'scopes' | 'ends_at' | 'is_enabled'> & { owners: string[] }

const shown = ({ name, description, scopes, ends_at, is_enabled, owners }: Terms) => ({
  ...{ name, description, scopes, owners },
  ...{ ends_at: ends_at && iso(ends_at), enabled: is_enabled },
})

const textOf = (terms: object, key: string): string =>
  JSON.stringify(Object.entries(terms).find(([one]) => one === key))

const pick = (terms: object, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(terms).filter(([key]) => keys.includes(key)))
