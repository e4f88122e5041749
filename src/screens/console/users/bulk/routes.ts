import { BulkRoute } from '../../../../admin/many-users-schemas.ts'
import { SearchRoute } from '../../../../admin/search-schemas.ts'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { knownRoles } from '../../../../ui/console/roles.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { ChooseRoute, ConfirmRoute } from '../schemas.ts'
import { type ListedUser, usersPath } from '../shared.ts'
import { endOf } from '../user/actions/application-role.ts'
import { type BulkAction, bulkActions, bulkConfirmPath, bulkPath, maxPicks, pickedIds, reverting } from './choices.ts'
import { bulkPage } from './view.ts'

const isAction = (text: string): text is BulkAction => bulkActions.some((known) => known === text)

export const bulkRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, usersPath)

    pages.post(bulkPath, { schema: ChooseRoute, config: postedByAnyone }, async (member, request) => {
      const { action, form_token: formToken, ...members } = request.body as Record<string, string> & { action: string }
      const picked = pickedIds(members)
      const ids = picked.filter((id) => id !== member.profile.user.id || !rejectedForOneself.includes(action))
      const isSelfLeftOut = ids.length < picked.length
      // This form changes nothing, so an expired form only redirects to the list.
      if (!(await member.isOwn(bulkPath, formToken))) return member.go(usersPath)
      if (!isAction(action)) return member.go(`${usersPath}?done=no-action`)
      if (ids.length === 0) return member.go(`${usersPath}?done=${isSelfLeftOut ? 'only-self' : 'nobody'}`)
      return show(ctx, member, {
        action,
        ids,
        isSelfLeftOut,
        users: await findListedUsers(member, action, ids),
      })
    })

    pages.post(bulkConfirmPath, { schema: ConfirmRoute, config: postedByAnyone }, async (member, request) => {
      const { action, ids: list, form_token: formToken, ...typed } = request.body
      if (!isAction(action)) return member.go(usersPath)
      const ids = list.split(' ').filter((id) => id !== '')
      // The users are read before the action because the action may delete them.
      const users = await findListedUsers(member, action, ids)
      const body = {
        action,
        ids,
        ...(action === 'block' && { reason: typed.reason }),
        ...(action === 'set_role' && { user_type: typed.user_type }),
        ...(action === 'grant_role' && { until: endOf(typed.days, ctx.clock.now()) ?? undefined }),
        ...((action === 'grant_role' || action === 'revoke_role') && { application_role: typed.application_role }),
      }
      const response = await member.submit(bulkConfirmPath, formToken, call(BulkRoute, { body }))
      if (!response.ok)
        return show(ctx, member, { action, ids, users, typed, rejection: response.rejection }, response.status)
      const { results } = response.body.data
      if (reverting[action] || results.some(({ ok }) => !ok)) return show(ctx, member, { action, ids, users, results })
      return member.go(`${usersPath}?done=${action}&count=${results.length}`)
    })
  }

/** The API rejects these actions if administrators request them for their own accounts. */
const rejectedForOneself: readonly string[] = ['block', 'delete', 'set_role', 'grant_role', 'revoke_role']

type BulkState = Pick<
  Parameters<typeof bulkPage>[0],
  'action' | 'ids' | 'users' | 'typed' | 'rejection' | 'results' | 'isSelfLeftOut'
>

function show(ctx: Context, member: AdminVisit, shown: BulkState, status?: number) {
  const { area, sign, show: showPage } = member
  const { may } = member
  const roles = knownRoles(ctx).filter((role) => may({ id: '', user_type: 'customer' }, 'change_role', role))
  const deletedRetention = ctx.config.DELETED_RETENTION
  const applicationRoles = ctx.applicationRoles.current().names
  const data = { area, form: sign(bulkConfirmPath), roles, applicationRoles, deletedRetention, ...shown }
  return showPage((page) => bulkPage(data, page), status)
}

/** The result does not contain users who have been deleted in the meantime. */
async function findListedUsers(member: AdminVisit, action: BulkAction, ids: readonly string[]): Promise<ListedUser[]> {
  const query = new URLSearchParams({ id: ids.join(','), limit: String(maxPicks) })
  if (action === 'restore') query.set('deleted', 'true')
  const response = await member.api(call(SearchRoute, { query }))
  return response.ok ? response.body.data.users : []
}
