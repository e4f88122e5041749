import { UpdateApplicationRoute } from '../../../../applications/schemas.ts'
import type { Context } from '../../../../context.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { ApiResponse } from '../../../../ui/shared/call-api.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { accentsOf } from '../../../../ui/shared/theme.ts'
import { readPicture } from '../../shared/read-picture.ts'
import { appearanceOfOne, appearancePath, applicationPath } from '../paths.ts'
import { getShownApplication } from '../read-application.ts'
import * as schemas from '../schemas.ts'
import { type AppearancePage, appearancePage, type TypedAppearance, withPickedAccent } from './view.ts'

export function declareAppearance(ctx: Context, pages: PageDeclarations<AdminVisit>): void {
  pages.get(appearanceOfOne, { schema: schemas.AppearancePageRoute, config: readByAnyone }, (member, request) =>
    showAppearance({ ctx, member }, request.params.application_id, { isSaved: request.query.done === 'saved' }),
  )
  pages.post(
    appearanceOfOne,
    { schema: schemas.AppearanceFormRoute, config: postedByAnyone },
    async (member, { body, params: { application_id: id } }) => {
      const { form_token: formToken, expected_updated_at, reset, ...sent } = body
      const typed = withPickedAccent(sent)
      const changes = reset === 'logo' ? { logo: null } : changesOf(typed)
      const update = call(UpdateApplicationRoute, {
        params: { application_id: id },
        body: { expected_updated_at, ...changes },
      })
      const response = await member.submit(appearancePath(id), formToken, update)
      return finish({ ctx, member }, id, response, reset === 'logo' ? undefined : typed)
    },
  )
  const config = { ...postedByAnyone, upload: 'picture' } as const
  pages.post(
    `${appearanceOfOne}/logo`,
    { schema: schemas.AppearanceLogoFormRoute, config },
    async (member, request) => {
      const { application_id: id } = request.params
      const picture = await readPicture(ctx, member, request)
      if (!picture.ok) return finish({ ctx, member }, id, picture)
      const { value: logo, version: expected_updated_at, formToken } = picture.body
      const update = call(UpdateApplicationRoute, {
        params: { application_id: id },
        body: { expected_updated_at, logo },
      })
      return finish({ ctx, member }, id, await member.submit(`${appearancePath(id)}/logo`, formToken, update))
    },
  )
}

const changesOf = ({ accent, terms_url, privacy_url }: TypedAppearance) => ({
  accent: accent?.trim() || null,
  terms_url: terms_url?.trim() || null,
  privacy_url: privacy_url?.trim() || null,
})

function finish(visit: Visit, id: string, response: ApiResponse<unknown>, typed?: TypedAppearance) {
  if (response.ok) return visit.member.go(`${appearancePath(id)}?done=saved`)
  return showAppearance(visit, id, { ...(typed && { typed }), rejection: response.rejection }, response.status)
}

interface Visit {
  ctx: Context
  member: AdminVisit
}

type AppearanceState = Pick<AppearancePage, 'typed' | 'rejection' | 'isSaved'>

async function showAppearance({ ctx, member }: Visit, id: string, state: AppearanceState, status?: number) {
  const application = await getShownApplication(member, id)
  if (application.deleted_at !== null) return member.go(applicationPath(id))
  const path = appearancePath(id)
  const forms = { save: member.sign(path), logo: member.sign(`${path}/logo`) }
  const data = {
    area: member.area,
    application,
    forms,
    accentDefault: accentsOf(ctx.config.APP_ACCENT).light,
    ...state,
  }
  return member.show((page) => appearancePage(data, page), status)
}
