import type { Context } from '../context.ts'
import { compileSerializer } from '../http/parsing/validation.ts'
import { csvLine } from '../lib/csv.ts'
import { findBlocks } from '../users/block-queries.ts'
import { AdminUser } from '../users/schemas.ts'
import { shownUser } from './replies.ts'
import type { FoundUser } from './search-queries.ts'

export const exportTypes = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

export type ExportFormat = keyof typeof exportTypes

type ShownUser = ReturnType<typeof shownUser>

/** A streamed reply bypasses the schema of the route, so each user is serialized with the schema here. */
const serialize = compileSerializer({ schema: AdminUser })

export async function* exportText(
  ctx: Context,
  batches: AsyncIterable<FoundUser[]>,
  format: ExportFormat,
): AsyncGenerator<string> {
  const { head, lines, end } = format === 'csv' ? csv(ctx) : json()
  yield head
  for await (const batch of batches) yield lines(await shown(ctx, batch))
  yield end
}

async function shown(ctx: Context, users: FoundUser[]): Promise<ShownUser[]> {
  const blocks = await findBlocks(
    ctx.db,
    users.map(({ id }) => id),
    ctx.clock.date(),
  )
  const blockOf = new Map(blocks.map((block) => [block.user_id, block]))
  return users.map((user) => shownUser(ctx, user, blockOf.get(user.id) ?? null))
}

function json() {
  let isFirst = true
  const lines = (users: ShownUser[]) => {
    const text = users.map(serialize).join(',\n')
    const separator = isFirst ? '' : ',\n'
    isFirst = false
    return separator + text
  }
  return { head: '{"success":true,"data":{"users":[\n', lines, end: '\n]}}\n' }
}

const { blocked: _, ...coreMembers } = AdminUser.properties
const blockColumns = ['reason', 'since', 'until'] as const

/** Every user has the same columns, whether or not they are blocked or deleted. */
function csv({ modules }: Context) {
  const names = [...Object.keys(coreMembers), ...modules.userColumns().map(({ name }) => name)]
  const line = (user: ShownUser) => {
    const { blocked, ...members } = JSON.parse(serialize(user))
    return csvLine([...names.map((name) => cell(members[name])), ...blockColumns.map((name) => cell(blocked?.[name]))])
  }
  const head = csvLine([...names, ...blockColumns.map((name) => `blocked_${name}`)])
  return { head, lines: (users: ShownUser[]) => users.map(line).join(''), end: '' }
}

const cell = (value: unknown): string => (value === undefined || value === null ? '' : String(value))
