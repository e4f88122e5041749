import { pagesOfferPasskeys } from '../../../../config/passkeys.ts'
import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { AddPasskeyRoute, StartAddingRoute } from '../../../../passkeys/schemas.ts'
import { type AccountVisit, accountPages } from '../../../../ui/account/account-visit.ts'
import { showCodes } from '../../../../ui/account/codes/view.ts'
import type { ReadSecurityPart } from '../../../../ui/account/security-part.ts'
import { securityPath } from '../../../../ui/paths.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { passkeyResponse } from '../../../../ui/shared/passkey-response.ts'
import { type PageLanguage, textsFor } from '../../../../ui/texts/index.ts'
import { acceptsRecoveries } from '../../../sign-in/sign-in-options.ts'
import { AddPasskeyFormRoute, AddPasskeyPageRoute, addPath } from '../schemas.ts'
import { type AddPasskeyPage, addPasskeyPage } from './view.ts'

export const addPasskeyRoutes =
  (parts: () => readonly ReadSecurityPart[]) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, addPath)

    pages.get(addPath, { schema: AddPasskeyPageRoute, config: readByAnyone }, async (member, { query }) => {
      const { method = 'passkey', done } = query
      if (method === 'passkey')
        return pagesOfferPasskeys(ctx.config) ? showAdd(member, { done }) : member.go(securityPath)
      const [part] = await Promise.all(parts().map((read) => read(ctx, member)))
      return member.go(part?.addAddress(method) ?? securityPath)
    })

    pages.post(addPath, { schema: AddPasskeyFormRoute, config: postedByAnyone }, async (member, { body }) => {
      const name = body.name?.trim() ?? ''
      const form_token = body.form_token
      if (!body.response) {
        const started = await member.submit(addPath, form_token, call(StartAddingRoute, { body: { action: 'add' } }))
        const problem = started.ok ? 'NO_PASSKEY' : problemOf(started.rejection)
        return showAdd(member, { name, problem }, started.ok ? 400 : started.status)
      }
      const addition = { response: passkeyResponse(body.response), ...(name && { name }) }
      const added = await member.submit(addPath, form_token, call(AddPasskeyRoute, { body: addition }))
      if (!added.ok) return showAdd(member, { name, problem: problemOf(added.rejection) }, added.status)
      const next = `${securityPath}?done=passkey_added`
      const codes = added.body.recovery_codes
      return codes
        ? showCodes(member, { codes, next, ...(acceptsRecoveries(ctx) && { intro: useOfCodes }) })
        : member.go(next)
    })
  }

const useOfCodes = (lang: PageLanguage) => textsFor(lang).recover.keepCodes

type AddView = Pick<AddPasskeyPage, 'name' | 'done' | 'problem'>

const showAdd = ({ area, sign, show }: AccountVisit, view: AddView, status?: number) =>
  show((page) => addPasskeyPage({ area, form: sign(addPath), ...view }, page), status)

function problemOf({ code, details = [], ...rejection }: ApiRejection): ApiRejection {
  const [field] = details.map(({ field }) => field)
  return { ...rejection, code: { name: 'NAME', passkey: 'TOO_MANY' }[field ?? ''] ?? code }
}
