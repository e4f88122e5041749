import { command } from '../command.ts'
import { getUser, userPlace, withUsers } from './with-users.ts'

export const userBlock = command({
  meta: { name: 'wardenry user block', description: 'Block a user. Ends their sessions and prevents sign-ins.' },
  args: {
    ...userPlace,
    reason: { type: 'string', description: 'for administrators; the user never sees it', required: true },
    until: { type: 'string', description: 'end of the block, such as 2030-01-01T00:00:00Z; default: no end' },
  },
  run: ({ user: named, reason, until }) =>
    withUsers(async (ctx) => {
      const { blockUser } = await import('../../admin/block-user.ts')
      const { operator } = await import('../../admin/principal.ts')
      const { iso } = await import('../../lib/time.ts')
      const { id, email } = await getUser(ctx, named)
      await blockUser(ctx, { ...operator, targetId: id }, { reason, until })
      const end = until === undefined ? '' : ` until ${iso(new Date(until))}`
      process.stdout.write(`${email} is blocked${end}. All sessions have ended.\n`)
    }),
})

export const userUnblock = command({
  meta: { name: 'wardenry user unblock', description: 'Let a blocked user sign in again' },
  args: userPlace,
  run: ({ user: named }) =>
    withUsers(async (ctx) => {
      const { unblockUser } = await import('../../admin/block-user.ts')
      const { operator } = await import('../../admin/principal.ts')
      const { id, email } = await getUser(ctx, named)
      await unblockUser(ctx, { ...operator, targetId: id })
      process.stdout.write(`${email} is not blocked.\n`)
    }),
})
