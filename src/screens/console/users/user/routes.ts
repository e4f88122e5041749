import type { FastifyRequest } from 'fastify'
import { EndSessionRoute } from '../../../../admin/user-schemas.ts'
import { AuditRoute } from '../../../../audit/schemas.ts'
import { isFieldUsed } from '../../../../config/profile-fields.ts'
import type { Context } from '../../../../context.ts'
import type { AdminAction } from '../../../../http/access/permissions.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AppError } from '../../../../lib/errors.ts'
import { type AdminVisit, adminPages } from '../../../../ui/console/admin-visit.ts'
import type { ActionValues, FindParts, UserAction } from '../../../../ui/console/console-part.ts'
import { knownRoles } from '../../../../ui/console/roles.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { ActionFormRoute, AskRoute, UserRoute } from '../schemas.ts'
import { userPagePath, usersPath } from '../shared.ts'
import { actionPage } from './action-view.ts'
import { coreActions } from './actions/core-actions.ts'
import { readLock, readUser } from './read-user.ts'
import { endSessionName, type UserPage, userPage } from './view.ts'

const path = `${usersPath}/:user_id`
const backTo = ({ params: members }: FastifyRequest): string =>
  userPagePath((members as { user_id: string }).user_id.replaceAll(/[^\w-]/g, ''))

export const userPageRoutes =
  (parts: FindParts) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const actionsOf = (): UserAction[] => [
      ...coreActions(
        () => ctx.clock.now(),
        (field) => isFieldUsed(ctx.config, field),
      ).filter(({ name }) => name !== 'send-reset' || ctx.config.PASSWORDS_ENABLED),
      ...parts().flatMap(({ actions = [] }) => actions),
    ]
    const actionNamed = (name: string): UserAction => {
      const action = actionsOf().find((known) => known.name === name)
      if (!action) throw new AppError('NOT_FOUND')
      return action
    }
    const pages = adminPages(ctx, http, usersPath, backTo)

    pages.get(path, { schema: UserRoute, config: readByAnyone }, (member, { params, query }) =>
      showUser(ctx, member, { id: params.user_id, done: query.done, parts: parts(), actions: actionsOf() }),
    )

    pages.get(`${path}/:action`, { schema: AskRoute, config: readByAnyone }, async (member, request) => {
      const { user_id: id, action } = request.params
      return ask(ctx, member, actionNamed(action), { id })
    })

    const config = postedByAnyone
    pages.post(`${path}/:action`, { schema: ActionFormRoute, config }, async (member, request) => {
      const { user_id: id, action: name } = request.params
      const { form_token: formToken, ...values } = request.body as ActionValues
      const target = `${userPagePath(id)}/${name}`
      if (name === endSessionName) return endSession(member, id, values.session ?? '', formToken)
      const action = actionNamed(name)
      const isAsked = values.confirmed !== 'yes' && action.question?.('en', values, member.area.roles) !== undefined
      if (isAsked && (await member.isOwn(target, formToken))) return ask(ctx, member, action, { id, values })
      const person = await readUser(member, id)
      const response = await member.submit(target, formToken, action.call(person, values))
      if (!response.ok) return ask(ctx, member, action, { id, values, rejected: response })
      return member.go(action.next ?? `${userPagePath(id)}?done=${name}`)
    })
  }

type UserPageInput = Pick<UserPage, 'done' | 'parts' | 'actions'> & { id: string }

async function showUser(ctx: Context, member: AdminVisit, { id, ...shown }: UserPageInput) {
  const person = await readUser(member, id)
  const query = new URLSearchParams({ user_id: person.user.id, limit: '10' })
  const { may } = member
  const { events } = await member.read(call(AuditRoute, { query }))
  const data = {
    ...shown,
    area: member.area,
    person,
    lock: await readLock(member, person.user.id),
    events,
    may: (right: AdminAction) => may(person.user, right),
    inviteTtl: ctx.config.INVITE_TTL,
    deletedRetention: ctx.config.DELETED_RETENTION,
    now: ctx.clock.now(),
    timeZone: member.profile.user.tmz,
    viewer: { id: member.profile.user.id, role: member.profile.user.user_type },
    sign: member.sign,
    endForm: member.sign(`${userPagePath(person.user.id)}/${endSessionName}`),
  }
  return member.show((page) => userPage(data, page))
}

async function endSession(member: AdminVisit, id: string, session: string, formToken: string | undefined) {
  const target = `${userPagePath(id)}/${endSessionName}`
  const end = call(EndSessionRoute, { params: { user_id: id, session_id: session } })
  const response = await member.submit(target, formToken, end)
  return member.go(`${userPagePath(id)}?done=${response.ok ? endSessionName : 'not-ended'}`)
}

interface Asking {
  id: string
  values?: ActionValues
  rejected?: { status: number; rejection: ApiRejection }
}

async function ask(ctx: Context, member: AdminVisit, action: UserAction, { id, values, rejected }: Asking) {
  const rejection = rejected?.rejection
  const person = await readUser(member, id)
  const { may } = member
  if (!rejection && !may(person.user, action.right)) throw new AppError('FORBIDDEN')
  const target = `${userPagePath(person.user.id)}/${action.name}`
  const data = {
    area: member.area,
    person,
    action,
    form: member.sign(target),
    target,
    grantable: knownRoles(ctx).filter((role) => may(person.user, 'change_role', role)),
    deletedRetention: ctx.config.DELETED_RETENTION,
    inviteTtl: ctx.config.INVITE_TTL,
    settings: { config: ctx.config, now: ctx.clock.now(), timeZone: member.profile.user.tmz },
    // After a conflict, the form shows the current values so that the user can check them before replacing them.
    values: rejection?.code === 'EDIT_CONFLICT' ? undefined : values,
    rejection,
  }
  return member.show((page) => actionPage(data, page), rejected?.status)
}
