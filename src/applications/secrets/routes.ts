import type { FastifyRequest } from 'fastify'
import { signedInAdmin } from '../../admin/locked-target.ts'
import type { Context } from '../../context.ts'
import { staffWith } from '../../http/access/access.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { createSecret, type NewSecret, revokeSecret, rotateSecretOf, updateSecretOf } from './change-secrets.ts'
import * as schemas from './schemas.ts'
import { getSecret, listSecrets } from './show-secrets.ts'

const config = { access: staffWith('applications:manage'), limit: 'admin' } as const
const base = '/auth/admin/applications/:application_id/secrets'
const one = `${base}/:secret_id`

export const applicationSecretRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const shownOnce = async ({ application_id }: Parameters, { id, secret }: NewSecret) =>
      done({ application_secret: await getSecret(ctx, application_id, id), secret })

    http.get(base, { schema: schemas.ListApplicationSecretsRoute, config }, async ({ params }) =>
      done({ secrets: await listSecrets(ctx, params.application_id) }),
    )
    http.post(base, { schema: schemas.CreateApplicationSecretRoute, config }, async (request) =>
      shownOnce(request.params, await createSecret(ctx, about(request, request.params), request.body)),
    )
    http.put(one, { schema: schemas.UpdateApplicationSecretRoute, config }, async (request) => {
      await updateSecretOf(ctx, about(request, request.params), request.body)
      return done(await getSecret(ctx, request.params.application_id, request.params.secret_id))
    })
    http.post(`${one}/rotate`, { schema: schemas.RotateApplicationSecretRoute, config }, async (request) =>
      shownOnce(request.params, await rotateSecretOf(ctx, about(request, request.params), request.body)),
    )
    http.delete(one, { schema: schemas.RevokeApplicationSecretRoute, config }, async (request) => {
      await revokeSecret(ctx, about(request, request.params))
      return { success: true as const, message: 'The secret was revoked.' }
    })
  }

interface Parameters {
  application_id: string
  secret_id?: string
}

const about = (request: FastifyRequest, { application_id, secret_id = '' }: Parameters) => ({
  principal: signedInAdmin(request),
  session: request.auth,
  id: application_id,
  secretId: secret_id,
})

const done = <Data>(data: Data) => ({ success: true as const, data })
