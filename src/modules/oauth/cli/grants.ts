import { moduleCommand } from '../../../hub/module-command.ts'
import { pageOf } from '../../../lib/paging.ts'
import { getNamedUser } from '../../../users/named-user.ts'
import { explained, principal, printed } from '../../api-keys/cli/run-command.ts'
import { endClientGrants, listClientGrants } from '../grants/client-grants.ts'
import { endUserGrants, listUserGrants } from '../grants/user-grants.ts'

const args = {
  user: { type: 'string', description: 'id, email address or user name' },
  client: { type: 'string', description: 'the client_id' },
  json: { type: 'boolean', description: 'print JSON' },
} as const

/** Sees all devices. */
const viewer = { user_type: 'superadmin' }

export const grantsListCommand = moduleCommand({
  description: 'List the applications that can use an account, or the last 100 users of a client',
  args,
  run: async (ctx, { user, client, json }) => {
    if (user !== undefined && client === undefined) {
      const applications = await listUserGrants(ctx, (await getNamedUser(ctx, user)).id, viewer)
      const lines = applications.map(({ client_id, scopes, grants, last_used_at }) =>
        [client_id, `${grants.length} active`, `used ${last_used_at ?? 'never'}`, scopes.join(' ')].join('  '),
      )
      return printed(applications, json, lines.length > 0 ? lines.join('\n') : 'No application uses the account.')
    }
    if (client === undefined || user !== undefined) throw new Error('Pass either --user or --client')
    const { grants } = await listClientGrants(ctx, client, pageOf({ limit: 100 }), viewer)
    const lines = grants.map((one) =>
      [one.user.email, one.offline ? 'lasting' : 'session', `used ${one.last_used_at}`, one.scopes.join(' ')].join(
        '  ',
      ),
    )
    printed(grants, json, lines.length > 0 ? lines.join('\n') : 'The client has access to no account.')
  },
})

export const grantsEndCommand = moduleCommand({
  description: 'End the access of applications to an account, or all access of a client',
  args,
  run: async (ctx, { user, client, json }) => {
    if (user === undefined && client === undefined) throw new Error('Pass --user, --client or both')
    const ended = await explained(async () =>
      user === undefined
        ? (await endClientGrants(ctx, { principal, clientId: client ?? '' })).ended
        : endUserGrants(ctx, { ...principal, targetId: (await getNamedUser(ctx, user)).id }, client),
    )
    printed({ ended }, json, `${ended} ${ended === 1 ? 'access has' : 'accesses have'} ended.`)
  },
})
