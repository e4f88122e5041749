import type { Context } from '../../../../../context.ts'
import type { AdminVisit } from '../../../../../ui/console/admin-visit.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../../ui/shared/declare-pages.ts'
import { RemoveClientSecretRoute, RotateClientSecretRoute } from '../../../clients/secret-schemas.ts'
import { numberIn } from '../../form-values.ts'
import { clientListPath } from '../../paths.ts'
import * as schemas from '../../schemas.ts'
import { clientSecretsPath, removeSecretPath } from './paths.ts'
import { showSecrets } from './show-secrets.ts'

const module = 'oauth'
const form = { ...postedByAnyone, module } as const
const secretsOfOne = `${clientListPath}/:client_id/secrets`

export function declareClientSecrets(ctx: Context, pages: PageDeclarations<AdminVisit>): void {
  pages.get(
    secretsOfOne,
    { schema: schemas.ClientSecretsPageRoute, config: { ...readByAnyone, module } },
    (member, { params, query }) => showSecrets(ctx, member, params.client_id, { done: query.done }),
  )
  pages.post(
    secretsOfOne,
    { schema: schemas.AddClientSecretFormRoute, config: form },
    async (member, { params, body: { overlap, form_token } }) => {
      const { client_id: id } = params
      const body = overlap === undefined ? {} : { overlap: numberIn(overlap) }
      const rotate = call(RotateClientSecretRoute, { params, body })
      const response = await member.submit(clientSecretsPath(id), form_token, rotate)
      if (response.ok) return showSecrets(ctx, member, id, { secret: response.body.data.client_secret })
      return showSecrets(ctx, member, id, { rejection: response.rejection, status: response.status })
    },
  )
  pages.post(
    `${secretsOfOne}/remove`,
    { schema: schemas.RemoveClientSecretFormRoute, config: form },
    async (member, { params, body: { secret_id = '', form_token } }) => {
      const { client_id: id } = params
      const remove = call(RemoveClientSecretRoute, { params: { ...params, secret_id } })
      const response = await member.submit(removeSecretPath(id), form_token, remove)
      if (response.ok) return member.go(`${clientSecretsPath(id)}?done=removed`)
      return showSecrets(ctx, member, id, { rejection: response.rejection, status: response.status })
    },
  )
}
