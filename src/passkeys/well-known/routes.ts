import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { sharedFileHeaders } from '../../http/responses/response-headers.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { AppError } from '../../lib/errors.ts'
import { readByAnyone } from '../../ui/shared/declare-pages.ts'
import { offersPasskeys } from '../../webauthn/relying-party.ts'
import { androidPath, applePath, domainFiles, relatedOriginsPath, servesDomainFiles } from './files.ts'
import {
  AndroidAppsRoute,
  AppleAppsRoute,
  ChangePasswordRoute,
  PasskeyEndpointsRoute,
  RelatedOriginsRoute,
} from './schemas.ts'

const schemas = {
  [relatedOriginsPath]: RelatedOriginsRoute,
  [androidPath]: AndroidAppsRoute,
  [applePath]: AppleAppsRoute,
}

/** Browsers, operating systems and password managers request these addresses without a link (RFC 8615). */
export const wellKnownRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    for (const [path, schema] of Object.entries(schemas))
      http.get(path, { schema, config: readByAnyone }, (_request, reply) => {
        const files = servesDomainFiles(ctx.config) ? domainFiles(ctx.config) : []
        const file = files.find((one) => one.path === path)
        return sendShared(reply, file?.content)
      })

    const endpointsPath = '/.well-known/passkey-endpoints'
    http.get(endpointsPath, { schema: PasskeyEndpointsRoute, config: readByAnyone }, (_request, reply) => {
      const manage = `${ctx.config.PUBLIC_URL}/account/security`
      return sendShared(reply, offersPasskeys(ctx) ? { enroll: `${manage}/add`, manage } : undefined)
    })

    const passwordPath = '/.well-known/change-password'
    http.get(passwordPath, { schema: ChangePasswordRoute, config: readByAnyone }, (_request, reply) => {
      if (!ctx.config.PASSWORDS_ENABLED) throw new AppError('NOT_FOUND')
      return reply.redirect(`${ctx.config.PUBLIC_URL}/account/password`, 302)
    })
  }

function sendShared(reply: FastifyReply, content: object | undefined): FastifyReply {
  if (!content) throw new AppError('NOT_FOUND')
  sharedFileHeaders(reply)
  return reply.send(content)
}
