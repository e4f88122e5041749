import { signedInAdmin } from '../admin/locked-target.ts'
import type { Context } from '../context.ts'
import { staffReading, staffWith } from '../http/access/access.ts'
import { deviceOf } from '../http/access/device.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { changeTemplate } from './change-template.ts'
import { getTemplate, getVersion, listTemplates, listVersions, templateKey } from './find-template.ts'
import * as schemas from './template-schemas.ts'
import { previewTemplate, sendTest } from './try-template.ts'

const reads = { access: staffReading('messages:read'), limit: 'admin' } as const
const previews = { access: staffWith('messages:read'), limit: 'admin' } as const
const changes = { access: staffWith('templates:write'), limit: 'admin' } as const
const base = '/auth/admin/messages'
const one = `${base}/:name/:lang`

export const templateRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    http.get(base, { schema: schemas.TemplatesRoute, config: reads }, async () => done(await listTemplates(ctx)))

    http.get(one, { schema: schemas.TemplateRoute, config: reads }, async ({ params }) =>
      done(await getTemplate(ctx, templateKey(params))),
    )
    http.get(`${one}/versions`, { schema: schemas.VersionsRoute, config: reads }, async ({ params }) =>
      done({ versions: await listVersions(ctx, templateKey(params)) }),
    )
    http.get(`${one}/versions/:version`, { schema: schemas.VersionRoute, config: reads }, async ({ params }) =>
      done(await getVersion(ctx, templateKey(params), params.version)),
    )

    http.put(one, { schema: schemas.ChangeTemplateRoute, config: changes }, async (request) => {
      const { version, html = null, ...source } = request.body
      const key = templateKey(request.params)
      await changeTemplate(ctx, signedInAdmin(request), request.auth, { key, version, template: { ...source, html } })
      return done(await getTemplate(ctx, key))
    })
    http.delete(one, { schema: schemas.ResetTemplateRoute, config: changes }, async (request) => {
      const key = templateKey(request.params)
      const { version } = request.query
      await changeTemplate(ctx, signedInAdmin(request), request.auth, { key, version, template: undefined })
      return done(await getTemplate(ctx, key))
    })

    http.post(`${one}/preview`, { schema: schemas.PreviewRoute, config: previews }, async ({ params, body }) =>
      done(await previewTemplate(ctx, templateKey(params), body)),
    )
    http.post(`${one}/test`, { schema: schemas.TestRoute, config: changes }, async (request) => {
      const { body, params, auth } = request
      const test = { actor: auth.user, device: deviceOf(request), key: templateKey(params), input: body }
      await sendTest(ctx, test)
      return { success: true as const, message: 'The message was sent to your own address' }
    })
  }

const done = <Data>(data: Data) => ({ success: true as const, data })
