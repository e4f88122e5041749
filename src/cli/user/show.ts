import type { userDetails } from '../../admin/user-details.ts'
import type { Context, SecondFactorMethod } from '../../context.ts'
import { inColumns, printable, printableJson } from '../columns.ts'
import { command } from '../command.ts'
import { getUser, userPlace, withUsers } from './with-users.ts'

export const userShow = command({
  meta: { name: 'wardenry user show', description: 'Show a user, their second factors and their sessions' },
  args: { ...userPlace, json: { type: 'boolean', description: 'print JSON' } },
  run: ({ user: named, json }) =>
    withUsers(async (ctx) => {
      const details = await detailsOf(ctx, named)
      process.stdout.write(json ? printableJson(details) : described(details))
    }),
})

async function detailsOf(ctx: Context, named: string) {
  const { operator, rightsOf } = await import('../../admin/principal.ts')
  const { findLastSignIn } = await import('../../admin/queries.ts')
  const { detailsResponse } = await import('../../admin/responses.ts')
  const { userDetails } = await import('../../admin/user-details.ts')
  const { iso } = await import('../../lib/time.ts')
  const { id } = await getUser(ctx, named)
  const { data } = await detailsResponse(ctx, await userDetails(ctx, id, rightsOf(operator.actor)))
  const lastSignIn = await findLastSignIn(ctx.db, id)
  return {
    ...data,
    second_factors: await ctx.secondFactor.methodsOf(ctx.db, id),
    last_sign_in: lastSignIn ? iso(lastSignIn) : null,
  }
}

type Details = Awaited<ReturnType<typeof detailsOf>>
type Session = Awaited<ReturnType<typeof userDetails>>['sessions'][number]

function described({ user, sessions, sessionCount, second_factors, last_sign_in }: Details): string {
  const rows = [
    ...Object.entries(user).map(([name, value]) => [name, inWords(value)]),
    ['second_factors', second_factors.map(methodInWords).join(', ') || none],
    ['last_sign_in', last_sign_in ?? none],
    ['active_sessions', String(sessionCount)],
  ]
  const active = sessions.filter(({ status }) => status === 'active' || status === 'pending').map(sessionRow)
  return inColumns(rows) + (active.length > 0 ? `\n${inColumns([sessionHeads, ...active])}` : '')
}

const none = '–'

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return none
  return printable(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

const methodInWords = ({ method, identifier }: SecondFactorMethod): string =>
  identifier ? `${method} ${printable(identifier)}` : method

const sessionHeads = ['SESSION', 'STATUS', 'LAST USED', 'ADDRESS', 'DEVICE']

const sessionRow = ({ id, status, lastUsedAt, ipAddress, userDevice, application }: Session): string[] => [
  id,
  status,
  lastUsedAt.slice(0, 16),
  printable(ipAddress ?? '') || none,
  printable([userDevice, application].filter(Boolean).join(', ')) || none,
]
