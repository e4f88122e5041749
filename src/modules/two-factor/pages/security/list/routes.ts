import type { Context } from '../../../../../context.ts'
import type { DeclareRoutes } from '../../../../../http/server/types.ts'
import { showSecurity } from '../../../../../screens/account/security/list/show-security.ts'
import { type AccountVisit, accountPages } from '../../../../../ui/account/account-visit.ts'
import { showCodes } from '../../../../../ui/account/codes/view.ts'
import { securityPath } from '../../../../../ui/paths.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { postedByAnyone } from '../../../../../ui/shared/declare-pages.ts'
import { RegenerateRoute } from '../../../method-schemas.ts'
import { ToggleRoute } from '../../../schemas.ts'
import { securityPaths } from '../shared/paths.ts'
import * as schemas from '../shared/schemas.ts'
import { securityPart } from './security-part.ts'

export const securityListRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, securityPath)
    const again = (member: AccountVisit, problem: string, status: number) =>
      showSecurity(ctx, member, { parts: [securityPart], problem }, status)
    const form = { ...postedByAnyone, module: 'two-factor' }
    pages.post(securityPaths.on, { schema: schemas.SwitchRoute, config: form }, async (member, request) => {
      const on = call(ToggleRoute, { body: { enabled: true } })
      const response = await member.submit(securityPaths.on, request.body.form_token, on)
      if (!response.ok) return again(member, response.rejection.code, response.status)
      return member.go(`${securityPath}?done=on`)
    })

    pages.post(
      securityPaths.recovery,
      { schema: schemas.RegenerateFormRoute, config: form },
      async (member, request) => {
        const { form_token: formToken } = request.body
        const response = await member.submit(securityPaths.recovery, formToken, call(RegenerateRoute, { body: {} }))
        if (!response.ok) return again(member, response.rejection.code, response.status)
        return showCodes(member, { codes: response.body.recovery_codes, next: securityPath })
      },
    )
  }
