import type { Context } from '../../../../context.ts'
import { attachmentHeaders } from '../../../../http/responses/response-headers.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { personalDataExportRoute } from '../../../../profile/schemas.ts'
import { accountPages } from '../../../../ui/account/account-visit.ts'
import type { FindReplacement, ShowPage } from '../../../../ui/account/personal-data-replacement.ts'
import { personalDataPath } from '../../../../ui/paths.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import * as schemas from '../schemas.ts'
import { personalDataDownloadPath } from '../schemas.ts'
import { personalDataPage } from './view.ts'

export const personalDataRoutes =
  (replacement: FindReplacement) =>
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const pages = accountPages(ctx, http, personalDataPath)
    const show: ShowPage = (...shown) => (replacement()?.showOverview ?? showPersonalData)(...shown)
    pages.get(personalDataPath, { schema: schemas.PersonalDataRoute, config: readByAnyone }, (member, { query }) =>
      show(ctx, member, { done: query.done }),
    )

    const schema = schemas.DownloadRoute
    pages.post(personalDataDownloadPath, { schema, config: postedByAnyone }, async (member, request, reply) => {
      const exportData = replacement()?.exportCall(ctx.modules) ?? call(personalDataExportRoute(ctx.modules))
      const response = await member.submit(personalDataDownloadPath, request.body.form_token, exportData)
      if (!response.ok) return show(ctx, member, { problem: response.rejection.code }, response.status)
      attachmentHeaders(reply, 'personal-data.json').type('application/json; charset=utf-8')
      return reply.send(`${JSON.stringify(response.body.data, null, 2)}\n`)
    })
  }

const showPersonalData: ShowPage = async (_ctx, { area, sign, show }, outcome, status) =>
  show((page) => personalDataPage({ area, download: sign(personalDataDownloadPath), ...outcome }, page), status)
