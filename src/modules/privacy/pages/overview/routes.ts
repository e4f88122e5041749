import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { accountPages } from '../../../../ui/account/account-visit.ts'
import { personalDataPath } from '../../../../ui/paths.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { RequestExportRoute } from '../../export-schemas.ts'
import { UpdateStatusRoute } from '../../schemas.ts'
import * as schemas from '../schemas.ts'
import { showPrivacy } from './show-privacy.ts'

export const decisionRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, personalDataPath)
    const form = { ...postedByAnyone, module: 'privacy' }
    for (const [path, requestFor] of Object.entries(choices)) {
      pages.post(path, { schema: schemas.ChoiceRoute, config: form }, async (member, request) => {
        const { choice, form_token: formToken } = request.body
        const { body, done } = requestFor(choice)
        const response = await member.submit(path, formToken, call(UpdateStatusRoute, { body }))
        if (!response.ok) return showPrivacy(ctx, member, { problem: response.rejection.code }, response.status)
        return member.go(`${personalDataPath}?done=${done}`)
      })
    }

    pages.post(schemas.privacyPaths.mail, { schema: schemas.MailRoute, config: form }, async (member, request) => {
      const ask = call(RequestExportRoute, { body: {} })
      const response = await member.submit(schemas.privacyPaths.mail, request.body.form_token, ask)
      if (!response.ok) return showPrivacy(ctx, member, { problem: response.rejection.code }, response.status)
      return member.go(`${personalDataPath}?done=mailed`)
    })
  }

const choices: Record<string, (choice: string) => { body: object; done: string }> = {
  [schemas.privacyPaths.region]: (choice) => ({ body: { privacy_region: choice }, done: 'region' }),
  // The form contains the policy version that the page showed. The current version may be newer.
  [schemas.privacyPaths.consent]: (choice) =>
    choice === ''
      ? { body: { gdpr_consent: false }, done: 'withdrawn' }
      : { body: { gdpr_consent: true, gdpr_consent_version: choice }, done: 'given' },
  [schemas.privacyPaths.sale]: (choice) => ({
    body: { ccpa_opt_out: choice === 'out' },
    done: choice === 'out' ? 'out' : 'in',
  }),
}
