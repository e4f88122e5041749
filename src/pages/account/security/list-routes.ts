import type { Context } from '../../../context.ts'
import { anyone } from '../../../http/access.ts'
import type { Routes } from '../../../http/create-server.ts'
import { visitOf } from '../../visit.ts'
import { asMember, type Member } from '../member.ts'
import { showCodes } from './codes-page.ts'
import { listPage } from './list-page.ts'
import { methodsOf, offeredTo } from './methods.ts'
import { paths, securityPath } from './paths.ts'
import * as schemas from './schemas.ts'

/** What confirms a person's sign-ins. */
export const securityListRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const module = 'two-factor'
    const read = { access: anyone, limit: 'read', hidden: true, module } as const
    http.get(securityPath, { schema: schemas.ListRoute, config: read }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), securityPath, (member) =>
        showList(ctx, member, { done: request.query.done }),
      ),
    )

    const form = { access: anyone, limit: 'write', hidden: true, form: true, module } as const
    http.post(paths.on, { schema: schemas.SwitchRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), securityPath, async (member) => {
        if (!(await member.isOwn(paths.on, request.body.page)))
          return showList(ctx, member, { problem: 'PAGE_EXPIRED' }, 400)
        const body = { enabled: true }
        const answer = await member.api({ method: 'POST', path: '/auth/two_factor/toggle', body })
        if (!answer.ok) return showList(ctx, member, { problem: answer.refusal.code }, answer.status)
        return member.go(`${securityPath}?done=on`)
      }),
    )

    http.post(paths.recovery, { schema: schemas.RegenerateRoute, config: form }, (request, reply) =>
      asMember(ctx, visitOf(ctx, http, request, reply), securityPath, async (member) => {
        const { page } = request.body
        if (!(await member.isOwn(paths.recovery, page))) return showList(ctx, member, { problem: 'PAGE_EXPIRED' }, 400)
        const path = '/auth/two_factor/recovery/regenerate'
        const answer = await member.api<{ recovery_codes: string[] }>({ method: 'POST', path, body: {} })
        if (!answer.ok) return showList(ctx, member, { problem: answer.refusal.code }, answer.status)
        return showCodes(member, answer.body.recovery_codes, false)
      }),
    )
  }

async function showList(
  ctx: Context,
  member: Member,
  { done, problem }: { done?: string | undefined; problem?: string },
  status?: number,
) {
  const { area, profile, sign, show } = member
  const [methods, offered] = await Promise.all([methodsOf(member), offeredTo(member)])
  const { user } = profile
  const data = {
    area,
    methods,
    offered,
    isOn: user.two_factor,
    isRequired: ctx.config.TWO_FACTOR_REQUIRED_FOR.includes(user.user_type),
    timeZone: user.tmz,
    forms: { on: sign(paths.on), recovery: sign(paths.recovery), remove: sign(paths.remove) },
    done,
    problem,
  }
  return show((page) => listPage(data, page), status)
}
