import { SearchRoute } from '../../../../admin/search-schemas.ts'
import { CreateUserRoute } from '../../../../admin/user-schemas.ts'
import { minPasswordLength } from '../../../../config/password-rules.ts'
import { isFieldUsed } from '../../../../config/profile-fields.ts'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import { knownRoles } from '../../../../ui/console/roles.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { NewUserFormRoute, NewUserRoute } from '../schemas.ts'
import { type ListedUser, userPagePath, usersPath } from '../shared.ts'
import { mayPreselect } from './preselect.ts'
import { type NewUserPage, newUserPage } from './view.ts'

const path = `${usersPath}/new`

export const newUserRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = adminPages(ctx, http, usersPath, () => path)
    pages.get(path, { schema: NewUserRoute, config: readByAnyone }, (member, { query: { role } }) => {
      if (!member.can('users:create')) throw new AppError('FORBIDDEN')
      const isGiven = role !== undefined && mayPreselect(ctx, role)
      return show(ctx, member, isGiven ? { typed: { user_type: role } } : {})
    })

    pages.post(path, { schema: NewUserFormRoute, config: postedByAnyone }, async (member, request) => {
      const { form_token: formToken, password, way, ...members } = request.body
      const isInvited = way !== 'password'
      const body = { ...members, ...(isInvited ? { send_invite: true } : { password }) }
      const response = await member.submit(path, formToken, call(CreateUserRoute, { body }))
      if (!response.ok) {
        const taken = response.rejection.code === 'EMAIL_TAKEN' ? await findByEmail(member, members.email) : undefined
        return show(ctx, member, { typed: members, rejection: response.rejection, taken }, response.status)
      }
      return member.go(`${userPagePath(response.body.data.user.id)}?done=${isInvited ? 'invited' : 'created'}`)
    })
  }

/** Also searches deleted users, who keep their email addresses as long as they can be restored. */
async function findByEmail(member: AdminVisit, typed: string): Promise<ListedUser | undefined> {
  const email = typed.trim().toLowerCase()
  for (const deleted of ['false', 'true']) {
    const { users } = await member.read(call(SearchRoute, { query: { email, deleted } }))
    const found = users.find((user) => user.email === email)
    if (found) return found
  }
  return undefined
}

function show(
  ctx: Context,
  member: AdminVisit,
  more: Pick<NewUserPage, 'typed' | 'rejection' | 'taken'>,
  status?: number,
) {
  const { may } = member
  const roles = knownRoles(ctx).filter((role) => may({ id: '', user_type: role }, 'create'))
  const data = {
    area: member.area,
    form: member.sign(path),
    roles,
    minimum: minPasswordLength(ctx.config),
    inviteTtl: ctx.config.INVITE_TTL,
    hasPasswords: ctx.config.PASSWORDS_ENABLED,
    hasLastName: isFieldUsed(ctx.config, 'last_name'),
    ...more,
  }
  return member.show((page) => newUserPage(data, page), status)
}
