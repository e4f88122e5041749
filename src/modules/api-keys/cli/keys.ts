import { text } from 'node:stream/consumers'
import { moduleCommand } from '../../../hub/module-command.ts'
import { findUserByContact } from '../../../users/queries.ts'
import { createAccountKey, revokeAccountKey, rotateAccountKey } from '../account-keys.ts'
import { listKeys } from '../key-queries.ts'
import { isKey } from '../key-text.ts'
import { shownKey, shownOnce } from '../shapes.ts'
import { revokeUserKeys } from '../user-keys.ts'
import {
  accountNamed,
  explained,
  itemsOf,
  keyNamed,
  newSecretArgs,
  principal,
  printed,
  printKey,
  timeIn,
} from './run-command.ts'

const keyArg = { type: 'positional', description: 'the id of the key', required: true } as const
const accountArg = { type: 'positional', description: 'the id or name of the service account', required: true } as const
const json = { type: 'boolean', description: 'print JSON' } as const

export const listCommand = moduleCommand({
  description: 'List the keys of a service account or user',
  args: {
    'service-account': { type: 'string', description: 'the id or name of the service account' },
    user: { type: 'string', description: 'the email address of the user' },
    json,
  },
  run: async (ctx, { 'service-account': account, user: email, json: isJson }) => {
    if ((account === undefined) === (email === undefined)) throw new Error('Pass either --service-account or --user')
    const user = email === undefined ? undefined : await findUserByContact(ctx, email.toLowerCase())
    if (email !== undefined && !user) throw new Error(`There is no user with the email address ${email}`)
    const holder = user
      ? { userId: user.id, accountId: null }
      : { userId: null, accountId: (await accountNamed(ctx, account ?? '')).id }
    const now = ctx.clock.date()
    const keys = (await listKeys(ctx.db, holder, now)).map((row) => shownKey(row, now))
    const line = (key: (typeof keys)[number]) =>
      [key.id, key.status, key.hint, key.ends_at ?? 'endless', `used ${key.last_used_at ?? 'never'}`, key.name].join(
        '  ',
      )
    printed(keys, isJson, keys.length > 0 ? keys.map(line).join('\n') : 'There are no keys.')
  },
})

export const createCommand = moduleCommand({
  description: 'Create a key of a service account, and print it once',
  args: {
    account: accountArg,
    name: { type: 'string', description: 'name of the key; default: key' },
    scopes: { type: 'string', description: 'scopes such as wardenry:users:read; default: those of the account' },
    'ip-ranges': { type: 'string', description: 'networks such as 10.0.0.0/8 from which it is accepted' },
    ends: { type: 'string', description: 'the end, such as 90d or a time; "never" with API_KEY_ALLOW_ENDLESS' },
    ...newSecretArgs,
  },
  run: (ctx, { account: named, name = 'key', scopes, ends = '90d', ...given }) =>
    explained(async () => {
      const { id, scopes: all } = await accountNamed(ctx, named)
      const input = {
        ...{ name, scopes: scopes === undefined ? all : itemsOf(scopes) },
        ip_ranges: itemsOf(given['ip-ranges'] ?? ''),
        ends_at: ends === 'never' ? null : timeIn(ctx, ends),
      }
      await printKey(given, async () => shownOnce(await createAccountKey(ctx, { principal, id }, input)))
    }),
})

export const rotateCommand = moduleCommand({
  description: 'Replace a key of a service account, and print the new one once',
  args: {
    key: keyArg,
    overlap: { type: 'string', description: 'how long the former key still works, such as 24h; 0s: not at all' },
    ...newSecretArgs,
  },
  run: (ctx, { key: keyId, overlap, ...given }) =>
    explained(async () => {
      const { service_account_id: id } = await keyNamed(ctx, keyId)
      if (id === null) throw new Error('This key belongs to a user, who can replace it at /account/keys')
      const input = overlap === undefined ? {} : { overlap_until: timeIn(ctx, overlap) }
      await printKey(given, async () => shownOnce(await rotateAccountKey(ctx, { principal, id }, keyId, input)))
    }),
})

export const revokeCommand = moduleCommand({
  description: 'Revoke a key of a service account or user',
  args: { key: keyArg, json },
  run: (ctx, { key: keyId, json: isJson }) =>
    explained(async () => {
      const key = await keyNamed(ctx, keyId)
      const ended = key.ended_at !== null
      if (ended) return printed({ id: keyId, revoked: false }, isJson, 'The key had already ended.')
      const { service_account_id: id, user_id: targetId } = key
      if (id !== null) await revokeAccountKey(ctx, { principal, id }, keyId)
      else if (targetId !== null) await revokeUserKeys(ctx, { ...principal, targetId }, [keyId])
      printed({ id: keyId, revoked: true }, isJson, 'The key was revoked.')
    }),
})

export const verifyCommand = moduleCommand({
  description: 'Say whether the key on standard input is valid, and what it allows',
  args: { json },
  run: async (ctx, { json: isJson }) => {
    const key = (await text(process.stdin)).trim()
    const found = isKey(key) ? await ctx.credentials.load(key, { freshness: 'fresh' }) : undefined
    if (!found) process.exitCode = 1
    if (!found) return printed({ valid: false }, isJson, 'The key is not valid.')
    const { id, key: named, user, serviceAccount, scopes, expiresAt, ipRanges, isPaused } = found.cached.view
    const holder = { user: user?.email ?? null, service_account: serviceAccount?.name ?? null }
    const ends = expiresAt === null ? null : new Date(expiresAt).toISOString()
    const shown = { valid: true, id, name: named?.name, ...holder, scopes, ends_at: ends, ip_ranges: ipRanges }
    const owner = serviceAccount ? `service account ${serviceAccount.name}` : `user ${user?.email}`
    const sentence = `The key ${named?.name} of the ${owner} is ${isPaused ? 'paused' : 'valid'}. Scopes: ${scopes.join(', ')}`
    printed({ ...shown, paused: isPaused }, isJson, sentence)
  },
})
