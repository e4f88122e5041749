import type { Context } from '../context.ts'
import { compileSerializer } from '../http/parsing/validation.ts'
import { findBlocks } from '../users/block-queries.ts'
import { findGrantsOf } from '../users/role-queries.ts'
import { AdminUser } from '../users/schemas.ts'
import { csvFile, type ExportFormat, fileText, jsonFile } from './export-file.ts'
import { shownUser } from './responses.ts'
import type { FoundUser } from './search-queries.ts'

type ShownUser = ReturnType<typeof shownUser> & { roles: string[] }

/** Fastify does not apply the response schema to streams, so each user is serialized here. */
const serialize = compileSerializer({ schema: AdminUser })

export const exportText = (
  ctx: Context,
  batches: AsyncIterable<FoundUser[]>,
  format: ExportFormat,
): AsyncGenerator<string> =>
  fileText(batches, format === 'csv' ? csv(ctx) : jsonFile('users', serialize), (batch) => shown(ctx, batch))

async function shown(ctx: Context, users: FoundUser[]): Promise<ShownUser[]> {
  const ids = users.map(({ id }) => id)
  const now = ctx.clock.date()
  const blocks = await findBlocks(ctx.db, ids, now)
  const grants = Map.groupBy(await findGrantsOf(ctx.db, ids, now), ({ user_id }) => user_id)
  const blockOf = new Map(blocks.map((block) => [block.user_id, block]))
  return users.map((user) => ({
    ...shownUser(ctx, user, blockOf.get(user.id) ?? null),
    roles: grants.get(user.id)?.map(({ role }) => role) ?? [],
  }))
}

const { blocked: _, ...coreMembers } = AdminUser.properties
const blockColumns = ['reason', 'since', 'until'] as const

/** All rows have the same columns, even if only some users are blocked. */
function csv({ modules }: Context) {
  const names = [...Object.keys(coreMembers), ...modules.userColumns().map(({ name }) => name)]
  return csvFile([...names, ...blockColumns.map((name) => `blocked_${name}`)], (user: ShownUser) => {
    const { blocked, ...members } = JSON.parse(serialize(user))
    return [...names.map((name) => members[name]), ...blockColumns.map((name) => blocked?.[name])]
  })
}
