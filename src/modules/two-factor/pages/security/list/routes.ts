import type { Context } from '../../../../../context.ts'
import type { Routes } from '../../../../../http/server/create-server.ts'
import { type FormOutcome, type Member, memberPages } from '../../../../../pages/account/shared/member.ts'
import { anyonePosts, anyoneReads } from '../../../../../pages/shared/declare-pages.ts'
import { showCodes } from '../codes/view.ts'
import { methodsOf, offeredTo } from '../shared/methods.ts'
import { paths, securityPath } from '../shared/paths.ts'
import * as schemas from '../shared/schemas.ts'
import { listPage } from './view.ts'

export const securityListRoutes =
  (ctx: Context): Routes =>
  (http) => {
    const pages = memberPages(ctx, http, securityPath)
    const read = { ...anyoneReads, module: 'two-factor' }
    const form = { ...anyonePosts, module: 'two-factor' }
    pages.get(securityPath, { schema: schemas.ListRoute, config: read }, (member, { query }) =>
      showList(ctx, member, { done: query.done }),
    )

    pages.post(paths.on, { schema: schemas.SwitchRoute, config: form }, async (member, request) => {
      const call = { method: 'POST', path: '/auth/two_factor/toggle', body: { enabled: true } } as const
      const answer = await member.submit(paths.on, request.body.form_token, call)
      if (!answer.ok) return showList(ctx, member, { problem: answer.refusal.code }, answer.status)
      return member.go(`${securityPath}?done=on`)
    })

    pages.post(paths.recovery, { schema: schemas.RegenerateRoute, config: form }, async (member, request) => {
      const { form_token: formToken } = request.body
      const call = { method: 'POST', path: '/auth/two_factor/recovery/regenerate', body: {} } as const
      const answer = await member.submit<{ recovery_codes: string[] }>(paths.recovery, formToken, call)
      if (!answer.ok) return showList(ctx, member, { problem: answer.refusal.code }, answer.status)
      return showCodes(member, answer.body.recovery_codes, false)
    })
  }

declare module '../../../../../pages/account/shared/member.ts' {
  interface ModuleProfileMembers {
    two_factor: boolean
  }
}

async function showList(ctx: Context, member: Member, { done, problem }: FormOutcome, status?: number) {
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
