import { fitted, inColumns, printableJson } from '../columns.ts'
import { command } from '../command.ts'
import { withUsers } from './with-users.ts'

const maxLimit = 100

export const userList = command({
  meta: { name: 'wardenry user list', description: 'List users, newest first' },
  args: {
    search: { type: 'string', description: 'part of an email address, a name or a user name' },
    role: { type: 'string', description: 'only users with this role' },
    limit: { type: 'string', description: `number of users, at most ${maxLimit}`, default: '20' },
    page: { type: 'string', description: 'page number', default: '1' },
    json: { type: 'boolean', description: 'print JSON, as GET /auth/users does' },
  },
  run: ({ search, role, limit, page, json }) =>
    withUsers(async (ctx) => {
      const { searchResponse } = await import('../../admin/responses.ts')
      const { searchUsers } = await import('../../admin/search-users.ts')
      const { userTypeField } = await import('../../users/fields.ts')
      const { data } = await searchResponse(
        ctx,
        await searchUsers(ctx, {
          ...(search !== undefined && { q: search }),
          ...(role !== undefined && { user_type: userTypeField('--role', role, ctx) }),
          limit: numberOf('--limit', limit, maxLimit),
          page: numberOf('--page', page, Number.MAX_SAFE_INTEGER),
        }),
      )
      if (json) return void process.stdout.write(printableJson(data))
      const rows = data.users.map(({ email, user_name, user_type, created_at, name, last_name }) => [
        fitted(email, 34),
        fitted(user_name, 18),
        fitted(user_type, 12),
        created_at.slice(0, 10),
        fitted([name, last_name].filter(Boolean).join(' '), 18),
      ])
      // Names are in the last column because the width of some characters depends on the terminal.
      process.stdout.write(inColumns([['EMAIL', 'USER NAME', 'ROLE', 'CREATED', 'NAME'], ...rows]))
      process.stdout.write(`${rows.length} of ${data.pagination.total}\n`)
    }),
})

function numberOf(option: string, text: string, max: number): number {
  const number = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined
  if (number === undefined || number > max)
    throw new Error(`${option} must be a whole number ${max === maxLimit ? `from 1 to ${max}` : 'from 1 on'}`)
  return number
}
