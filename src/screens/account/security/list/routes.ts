import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { RegenerateCodesRoute } from '../../../../passkeys/recovery/schemas.ts'
import { accountPages } from '../../../../ui/account/account-visit.ts'
import { showCodes } from '../../../../ui/account/codes/view.ts'
import type { ReadSecurityPart } from '../../../../ui/account/security-part.ts'
import { securityPath } from '../../../../ui/paths.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { codesPath, NewCodesFormRoute, SecurityRoute } from '../schemas.ts'
import { showSecurity } from './show-security.ts'

export const securityListRoutes =
  (parts: () => readonly ReadSecurityPart[]) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, securityPath)
    pages.get(securityPath, { schema: SecurityRoute, config: readByAnyone }, (member, { query }) =>
      showSecurity(ctx, member, { parts: parts(), done: query.done }),
    )

    pages.post(codesPath, { schema: NewCodesFormRoute, config: postedByAnyone }, async (member, { body }) => {
      const replaced = await member.submit(codesPath, body.form_token, call(RegenerateCodesRoute, { body: {} }))
      if (replaced.ok) return showCodes(member, { codes: replaced.body.recovery_codes, next: securityPath })
      return showSecurity(ctx, member, { parts: parts(), problem: replaced.rejection.code }, replaced.status)
    })
  }
