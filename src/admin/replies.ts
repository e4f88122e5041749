import type { Context, UserRow } from '../context.ts'
import { adminUser } from '../users/shapes.ts'
import type { searchUsers } from './search-users.ts'
import type { userDetails } from './user-details.ts'

export function searchReply(ctx: Context, { users, pagination }: Awaited<ReturnType<typeof searchUsers>>) {
  const { page, limit, total, pages } = pagination
  return {
    success: true as const,
    data: { users: users.map((user) => adminUser(ctx, user)), pagination },
    ...(ctx.config.CLIENT_COMPAT && { meta: { total, page, limit, hasMore: page < pages } }),
  }
}

export const userReply = (ctx: Context, user: UserRow) => ({
  success: true as const,
  data: { user: adminUser(ctx, user) },
})

export const detailsReply = (ctx: Context, { user, ...sessions }: Awaited<ReturnType<typeof userDetails>>) => ({
  success: true as const,
  data: { user: adminUser(ctx, user), ...sessions },
})

/** Published clients read the user's members at the top level of `data`. */
export const asDeprecatedReply = <Data extends { user: object }>({ success, data }: { success: true; data: Data }) => ({
  success,
  data: { ...data.user, ...data },
})
