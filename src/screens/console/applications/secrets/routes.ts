import {
  CreateApplicationSecretRoute,
  ListApplicationSecretsRoute,
  RevokeApplicationSecretRoute,
  RotateApplicationSecretRoute,
  UpdateApplicationSecretRoute,
} from '../../../../applications/secrets/schemas.ts'
import type { Context } from '../../../../context.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { applicationPath, applicationsPath, secretsPath } from '../paths.ts'
import { getShownApplication } from '../read-application.ts'
import * as schemas from '../schemas.ts'
import { secretInput } from './form-values.ts'
import { type SecretsPage, secretsPage } from './view.ts'

const secretsOfOne = `${applicationsPath}/:application_id/secrets`

export function declareSecrets(ctx: Context, pages: PageDeclarations<AdminVisit>): void {
  const showSecrets = async (member: AdminVisit, id: string, state: SecretsState = {}, status?: number) => {
    const application = await getShownApplication(member, id)
    // Deleting an application has revoked its secrets.
    if (application.deleted_at !== null) return member.go(applicationPath(id))
    const data = {
      area: member.area,
      application,
      ...(await member.read(call(ListApplicationSecretsRoute, { params: { application_id: id } }))),
      forms: { create: member.sign(secretsPath(id)), act: member.sign(actionPath(id)) },
      timeZone: member.profile.user.tmz ?? null,
      now: ctx.clock.now(),
      ...state,
    }
    return member.show((page) => secretsPage(data, page), status)
  }

  pages.get(secretsOfOne, { schema: schemas.SecretsPageRoute, config: readByAnyone }, (member, { params, query }) =>
    showSecrets(member, params.application_id, { done: query.done }),
  )
  pages.post(
    secretsOfOne,
    { schema: schemas.CreateSecretFormRoute, config: postedByAnyone },
    async (member, request) => {
      const { form_token: formToken, ...typed } = request.body
      const { application_id: id } = request.params
      const body = secretInput(typed, ctx.clock.now())
      const create = call(CreateApplicationSecretRoute, { params: { application_id: id }, body })
      const response = await member.submit(secretsPath(id), formToken, create)
      if (!response.ok) return showSecrets(member, id, { typed, rejection: response.rejection }, response.status)
      return showSecrets(member, id, { secret: response.body.data.secret })
    },
  )
  pages.post(
    `${secretsOfOne}/act`,
    { schema: schemas.SecretActionFormRoute, config: postedByAnyone },
    async (member, request) => {
      const { action, secret_id = '', overlap, form_token: formToken, ...typed } = request.body
      const { application_id: id } = request.params
      const params = { application_id: id, secret_id }
      if (action === 'rotate') {
        const rotate = call(RotateApplicationSecretRoute, { params, body: { overlap: Number(overlap) } })
        const response = await member.submit(actionPath(id), formToken, rotate)
        if (!response.ok) return showSecrets(member, id, { rejection: response.rejection }, response.status)
        return showSecrets(member, id, { secret: response.body.data.secret })
      }
      if (action !== 'revoke' && action !== 'change') return member.go(secretsPath(id))
      const deed =
        action === 'revoke'
          ? call(RevokeApplicationSecretRoute, { params })
          : call(UpdateApplicationSecretRoute, { params, body: secretInput(typed, ctx.clock.now()) })
      const response = await member.submit<unknown>(actionPath(id), formToken, deed)
      if (response.ok) return member.go(`${secretsPath(id)}?done=${action === 'revoke' ? 'revoked' : 'changed'}`)
      const edited = action === 'change' ? { edited: { id: secret_id, typed } } : {}
      return showSecrets(member, id, { ...edited, rejection: response.rejection }, response.status)
    },
  )
}

type SecretsState = Pick<SecretsPage, 'secret' | 'typed' | 'edited' | 'rejection' | 'done'>

const actionPath = (id: string): string => `${secretsPath(id)}/act`
