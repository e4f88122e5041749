import { command } from '../command.ts'
import { getUser, userPlace, withUsers } from './with-users.ts'

export const userEndSessions = command({
  meta: {
    name: 'wardenry user end-sessions',
    description: 'End all sessions of a user and forget their remembered browsers',
  },
  args: userPlace,
  run: ({ user: named }) =>
    withUsers(async (ctx) => {
      const { endSessionsByAdmin } = await import('../../admin/end-by-admin.ts')
      const { operator } = await import('../../admin/principal.ts')
      const { id, email } = await getUser(ctx, named)
      const ended = await endSessionsByAdmin(ctx, { ...operator, targetId: id })
      process.stdout.write(`Ended ${ended} ${ended === 1 ? 'session' : 'sessions'} of ${email}.\n`)
    }),
})
