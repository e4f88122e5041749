import type { Context, UserRow } from '../context.ts'
import { iso } from '../lib/time.ts'
import { findBlock, findBlocks, type UserBlock } from '../users/block-queries.ts'
import { adminUser } from '../users/shapes.ts'
import type { FoundUser } from './search-queries.ts'
import type { searchUsers } from './search-users.ts'
import type { userDetails } from './user-details.ts'

export async function searchResponse(ctx: Context, { users, pagination }: Awaited<ReturnType<typeof searchUsers>>) {
  const { page, limit, total, has_more: hasMore } = pagination
  const ids = users.map(({ id }) => id)
  const blocks = ids.length === 0 ? [] : await findBlocks(ctx.db, ids, ctx.clock.date())
  const blockOf = new Map(blocks.map((block) => [block.user_id, block]))
  return {
    success: true as const,
    data: { users: users.map((user) => shownUser(ctx, user, blockOf.get(user.id) ?? null)), pagination },
    ...(ctx.config.CLIENT_COMPAT && { meta: { total, page, limit, hasMore } }),
  }
}

export const shownUser = (ctx: Context, { deleted_at: deletedAt, ...user }: FoundUser, block: UserBlock | null) => ({
  ...adminUser(ctx, user, block),
  ...(deletedAt && { deleted_at: iso(deletedAt) }),
})

export const userResponse = async (ctx: Context, user: UserRow) => ({
  success: true as const,
  data: { user: await withBlock(ctx, user) },
})

export const detailsResponse = async (ctx: Context, { user, ...details }: Awaited<ReturnType<typeof userDetails>>) => ({
  success: true as const,
  data: { user: await withBlock(ctx, user), ...details },
})

const withBlock = async (ctx: Context, user: UserRow) =>
  adminUser(ctx, user, (await findBlock(ctx.db, user.id, ctx.clock.date())) ?? null)

/** Published clients read the user's members at the top level of `data`. */
export const asDeprecatedResponse = <Data extends { user: object }>({
  success,
  data,
}: {
  success: true
  data: Data
}) => ({
  success,
  data: { ...data.user, ...data },
})
