import type { Context } from '../../context.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { postedByAnyone } from '../shared/declare-pages.ts'
import { isFromOwnForm } from '../shared/own-form.ts'
import { isOwnPath } from '../shared/render.ts'
import { LanguageFormRoute } from '../shared/schemas.ts'
import { pageLanguages } from '../texts/index.ts'
import { rememberLanguage } from './language.ts'
import { languagePath as path } from './language-form.ts'

export const languageRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.post(path, { schema: LanguageFormRoute, config: postedByAnyone }, async (request, reply) => {
      const { form_token: formToken, back } = request.body
      const lang = pageLanguages.find((one) => one === request.body.lang)
      if (lang && (await isFromOwnForm(ctx, request, { action: path, formToken })))
        rememberLanguage(ctx, request, reply, lang)
      return reply.redirect(isOwnPath(back) ? back : '/', 303)
    })
  }
