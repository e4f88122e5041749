import type { Context } from '../../../../context.ts'
import type { DeclareRoutes } from '../../../../http/server/types.ts'
import { deletePath, reasonIn } from '../../../../screens/account/personal-data/schemas.ts'
import { accountPages } from '../../../../ui/account/account-visit.ts'
import { personalDataPath } from '../../../../ui/paths.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { postedByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { CancelDeletionRoute, RequestDeletionRoute } from '../../deletion-schemas.ts'
import { showPrivacy } from '../overview/show-privacy.ts'
import * as schemas from '../schemas.ts'
import { showDelete } from './view.ts'

export const deleteLaterRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const config = { ...postedByAnyone, module: 'privacy' }
    const ofDelete = accountPages(ctx, http, deletePath)
    ofDelete.post(schemas.privacyPaths.request, { schema: schemas.RequestRoute, config }, async (member, request) => {
      const { reason, form_token: formToken } = request.body
      const ask = call(RequestDeletionRoute, { body: reasonIn(reason) })
      const response = await member.submit(schemas.privacyPaths.request, formToken, ask)
      if (!response.ok) return showDelete(ctx, member, { problem: response.rejection.code }, response.status)
      return member.go(`${personalDataPath}?done=asked`)
    })

    const ofOverview = accountPages(ctx, http, personalDataPath)
    ofOverview.post(
      schemas.privacyPaths.cancel,
      { schema: schemas.CancelDeletionFormRoute, config },
      async (member, request) => {
        const cancel = call(CancelDeletionRoute)
        const response = await member.submit(schemas.privacyPaths.cancel, request.body.form_token, cancel)
        if (!response.ok) return showPrivacy(ctx, member, { problem: response.rejection.code }, response.status)
        return member.go(`${personalDataPath}?done=kept`)
      },
    )
  }
