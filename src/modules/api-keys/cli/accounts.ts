import type { Context } from '../../../context.ts'
import { moduleCommand } from '../../../hub/module-command.ts'
import { findUserByContact } from '../../../users/queries.ts'
import { listAccounts } from '../account-queries.ts'
import { createAccount, deleteAccount, updateAccountOf } from '../change-accounts.ts'
import { shownAccount } from '../shapes.ts'
import { accountNamed, explained, itemsOf, principal, printed, timeIn } from './run-command.ts'

const json = { type: 'boolean', description: 'print JSON' } as const
const accountArg = { type: 'positional', description: 'the id or name of the service account', required: true } as const
const members = {
  description: { type: 'string', description: 'what it is for' },
  owners: { type: 'string', description: 'the email addresses of one to three users, who get the emails' },
  scopes: { type: 'string', description: 'scopes such as wardenry:users:read,wardenry:audit:read' },
  ends: { type: 'string', description: 'the end, such as 365d or a time, or "never"' },
} as const

interface AccountOptions {
  description?: string | undefined
  owners?: string | undefined
  scopes?: string | undefined
  ends?: string | undefined
}

async function inputIn(ctx: Context, { description, owners, scopes, ends }: AccountOptions) {
  return {
    ...(description !== undefined && { description }),
    ...(owners !== undefined && { owners: await Promise.all(itemsOf(owners).map((email) => userIdOf(ctx, email))) }),
    ...(scopes !== undefined && { scopes: itemsOf(scopes) }),
    ...(ends !== undefined && { ends_at: ends === 'never' ? null : timeIn(ctx, ends) }),
  }
}

async function userIdOf(ctx: Context, email: string): Promise<string> {
  const user = await findUserByContact(ctx, email.toLowerCase())
  if (!user) throw new Error(`There is no user with the email address ${email}: run "wardenry user create"`)
  return user.id
}

export const accountListCommand = moduleCommand({
  description: 'List the service accounts',
  args: { json },
  run: async ({ db, clock }, { json: isJson }) => {
    const now = clock.date()
    const accounts = (await listAccounts(db, now)).map((row) => shownAccount(row, now))
    const stateOf = ({ enabled, ended }: (typeof accounts)[number]) =>
      ended ? 'ended' : enabled ? 'enabled' : 'disabled'
    const lines = accounts.map((one) =>
      [one.id, stateOf(one), `${one.keys} keys`, one.owners.map(({ email }) => email).join(','), one.name].join('  '),
    )
    printed(accounts, isJson, lines.length > 0 ? lines.join('\n') : 'There are no service accounts.')
  },
})

export const accountCreateCommand = moduleCommand({
  description: 'Create a service account',
  args: { name: { type: 'positional', description: 'name of the service account', required: true }, ...members, json },
  run: (ctx, { name, json: isJson, ...given }) =>
    explained(async () => {
      if (given.owners === undefined || given.scopes === undefined) throw new Error('Pass --owners and --scopes')
      const id = await createAccount(ctx, { principal }, { name, ...(await inputIn(ctx, given)) })
      printed({ id, name }, isJson, `The service account was created. Its id is ${id}.`)
    }),
})

export const accountUpdateCommand = moduleCommand({
  description: 'Change a service account, or enable it again',
  args: {
    account: accountArg,
    name: { type: 'string', description: 'new name' },
    ...members,
    enable: { type: 'boolean', description: 'enable a disabled service account' },
    json,
  },
  run: (ctx, { account: named, name, enable, json: isJson, ...given }) =>
    explained(async () => {
      const { id } = await accountNamed(ctx, named)
      const changes = {
        ...(await inputIn(ctx, given)),
        ...(name !== undefined && { name }),
        ...(enable && { enabled: true }),
      }
      if (Object.keys(changes).length === 0) throw new Error('Nothing to change: see --help')
      await updateAccountOf(ctx, { principal, id }, changes)
      printed({ id }, isJson, 'The service account was changed.')
    }),
})

export const accountDisableCommand = moduleCommand({
  description: 'Disable a service account, so that its keys are rejected',
  args: { account: accountArg, json },
  run: (ctx, { account: named, json: isJson }) =>
    explained(async () => {
      const { id } = await accountNamed(ctx, named)
      await updateAccountOf(ctx, { principal, id }, { enabled: false })
      printed({ id, enabled: false }, isJson, 'The service account was disabled.')
    }),
})

export const accountDeleteCommand = moduleCommand({
  description: 'Delete a service account and end its keys',
  args: { account: accountArg, json },
  run: (ctx, { account: named, json: isJson }) =>
    explained(async () => {
      const { id } = await accountNamed(ctx, named)
      await deleteAccount(ctx, { principal, id })
      printed({ id }, isJson, 'The service account was deleted, and its keys have ended.')
    }),
})
