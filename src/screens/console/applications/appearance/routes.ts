import { UpdateApplicationRoute } from '../../../../applications/schemas.ts'
import type { Context } from '../../../../context.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import type { ApiResponse } from '../../../../ui/shared/call-api.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { readPicture } from '../../shared/read-picture.ts'
import { appearancePath, applicationPath, applicationsPath } from '../paths.ts'
import { getShownApplication } from '../read-application.ts'
import * as schemas from '../schemas.ts'
import { type AppearancePage, appearancePage, type TypedAppearance } from './view.ts'

const appearanceOfOne = `${applicationsPath}/:application_id/appearance`

export function declareAppearance(ctx: Context, pages: PageDeclarations<AdminVisit>): void {
  pages.get(appearanceOfOne, { schema: schemas.AppearancePageRoute, config: readByAnyone }, (member, request) =>
    showAppearance(member, request.params.application_id, { isSaved: request.query.done === 'saved' }),
  )
  pages.post(
    appearanceOfOne,
    { schema: schemas.AppearanceFormRoute, config: postedByAnyone },
    async (member, { body, params: { application_id: id } }) => {
      const { form_token: formToken, expected_updated_at, reset, ...typed } = body
      const changes = reset === 'logo' ? { logo: null } : changesOf(typed)
      const update = call(UpdateApplicationRoute, {
        params: { application_id: id },
        body: { expected_updated_at, ...changes },
      })
      const response = await member.submit(appearancePath(id), formToken, update)
      return finish(member, id, response, reset === 'logo' ? undefined : typed)
    },
  )
  const config = { ...postedByAnyone, upload: 'picture' } as const
  pages.post(
    `${appearanceOfOne}/logo`,
    { schema: schemas.AppearanceLogoFormRoute, config },
    async (member, request) => {
      const { application_id: id } = request.params
      const picture = await readPicture(ctx, member, request)
      if (!picture.ok) return finish(member, id, picture)
      const { value: logo, version: expected_updated_at, formToken } = picture.body
      const update = call(UpdateApplicationRoute, {
        params: { application_id: id },
        body: { expected_updated_at, logo },
      })
      return finish(member, id, await member.submit(`${appearancePath(id)}/logo`, formToken, update))
    },
  )
}

const changesOf = ({ accent, terms_url, privacy_url }: TypedAppearance) => ({
  accent: accent?.trim() || null,
  terms_url: terms_url?.trim() || null,
  privacy_url: privacy_url?.trim() || null,
})

function finish(member: AdminVisit, id: string, response: ApiResponse<unknown>, typed?: TypedAppearance) {
  if (response.ok) return member.go(`${appearancePath(id)}?done=saved`)
  return showAppearance(member, id, { ...(typed && { typed }), rejection: response.rejection }, response.status)
}

type AppearanceState = Pick<AppearancePage, 'typed' | 'rejection' | 'isSaved'>

async function showAppearance(member: AdminVisit, id: string, state: AppearanceState, status?: number) {
  const application = await getShownApplication(member, id)
  if (application.deleted_at !== null) return member.go(applicationPath(id))
  const path = appearancePath(id)
  const forms = { save: member.sign(path), logo: member.sign(`${path}/logo`) }
  const data = { area: member.area, application, forms, ...state }
  return member.show((page) => appearancePage(data, page), status)
}
