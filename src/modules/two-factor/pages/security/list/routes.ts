import type { Context } from '../../../../../context.ts'
import type { DeclareRoutes } from '../../../../../http/server/types.ts'
import { type AccountVisit, accountPages, type FormOutcome } from '../../../../../ui/account/account-visit.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../../../ui/shared/declare-pages.ts'
import { methodOf } from '../../../methods/index.ts'
import { RegenerateRoute, ToggleRoute } from '../../../schemas.ts'
import { showCodes } from '../codes/view.ts'
import {
  findListedMethods,
  isTwoFactorRequired,
  type ListedMethod,
  type ListedMethodKind,
  offeredTo,
} from '../shared/methods.ts'
import { securityPath, securityPaths } from '../shared/paths.ts'
import * as schemas from '../shared/schemas.ts'
import { listPage } from './view.ts'

export const securityListRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, securityPath)
    const read = { ...readByAnyone, module: 'two-factor' }
    const form = { ...postedByAnyone, module: 'two-factor' }
    pages.get(securityPath, { schema: schemas.SecurityListRoute, config: read }, (member, { query }) =>
      showList(ctx, member, { done: query.done }),
    )

    pages.post(securityPaths.on, { schema: schemas.SwitchRoute, config: form }, async (member, request) => {
      const on = call(ToggleRoute, { body: { enabled: true } })
      const response = await member.submit(securityPaths.on, request.body.form_token, on)
      if (!response.ok) return showList(ctx, member, { problem: response.rejection.code }, response.status)
      return member.go(`${securityPath}?done=on`)
    })

    pages.post(
      securityPaths.recovery,
      { schema: schemas.RegenerateFormRoute, config: form },
      async (member, request) => {
        const { form_token: formToken } = request.body
        const response = await member.submit(securityPaths.recovery, formToken, call(RegenerateRoute, { body: {} }))
        if (!response.ok) return showList(ctx, member, { problem: response.rejection.code }, response.status)
        return showCodes(member, response.body.recovery_codes, false)
      },
    )
  }

async function showList(ctx: Context, member: AccountVisit, { done, problem }: FormOutcome, status?: number) {
  const { area, profile, sign, show } = member
  const [methods, offered] = await Promise.all([findListedMethods(member), offeredTo(member)])
  const { user } = profile
  const data = {
    area,
    methods,
    offered: offered.filter((kind) => hasRoom(methods, kind)),
    isOn: user.two_factor,
    isRequired: isTwoFactorRequired(ctx, user),
    timeZone: user.tmz,
    forms: { on: sign(securityPaths.on), recovery: sign(securityPaths.recovery), remove: sign(securityPaths.remove) },
    done,
    problem,
  }
  return show((page) => listPage(data, page), status)
}

const hasRoom = (methods: ListedMethod[], kind: ListedMethodKind): boolean =>
  methods.filter(({ method, status }) => method === kind && status === 'active').length < methodOf(kind).maxPerUser
