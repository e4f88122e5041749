import { CreateApplicationSecretRoute } from '../../../../applications/secrets/schemas.ts'
import type { Context } from '../../../../context.ts'
import { sha256 } from '../../../../lib/hash.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { applicationsPath, connectAction, connectPath } from '../paths.ts'
import { getShownApplication } from '../read-application.ts'
import { recipeFor, recipeNamed } from '../recipes.ts'
import * as schemas from '../schemas.ts'
import { type ConnectPage, connectApplicationPage } from './view.ts'

const connectOfOne = `${applicationsPath}/:application_id/connect`

export function declareConnect(ctx: Context, pages: PageDeclarations<AdminVisit>): void {
  const show = async (member: AdminVisit, id: string, { chosen, ...state }: ConnectState, status?: number) => {
    const application = await getShownApplication(member, id)
    const recipe = recipeNamed(chosen) ?? recipeFor(application.kind)
    const form = member.sign(connectAction(id))
    const data = { area: member.area, application, recipe, port: ctx.config.PORT, form, ...state }
    return member.show((page) => connectApplicationPage(data, page), status)
  }
  pages.get(
    connectOfOne,
    { schema: schemas.ConnectApplicationPageRoute, config: readByAnyone },
    (member, { params, query }) =>
      show(member, params.application_id, { chosen: query.with, isNew: query.done === 'created' }),
  )
  pages.post(
    connectOfOne,
    { schema: schemas.CreateConnectSecretFormRoute, config: postedByAnyone },
    async (member, request) => {
      const { form_token: formToken, with: chosen, secret } = request.body
      const { application_id: id } = request.params
      if (secret !== undefined) {
        const isOwn = (await member.isOwn(connectAction(id), formToken)) && (await isSecretOf(ctx, id, secret))
        return isOwn ? show(member, id, { chosen, secret }) : member.go(connectPath(id, recipeNamed(chosen)?.name))
      }
      const create = call(CreateApplicationSecretRoute, { params: { application_id: id }, body: {} })
      const response = await member.submit(connectAction(id), formToken, create)
      if (!response.ok) return show(member, id, { chosen, rejection: response.rejection }, response.status)
      return show(member, id, { chosen, secret: response.body.data.secret })
    },
  )
}

/** The page of another recipe shows a secret that was just created, but no text that somebody else has put there. */
async function isSecretOf({ applications }: Context, id: string, secret: string): Promise<boolean> {
  await applications.whenCurrent()
  return applications.current().ofSecret(sha256(secret))?.application.id === id
}

type ConnectState = Pick<ConnectPage, 'isNew' | 'secret' | 'rejection'> & { chosen: string | undefined }
