import type { FastifyReply } from 'fastify'
import type { Context } from '../../context.ts'
import { anyone } from '../../http/access/access.ts'
import { deviceOf } from '../../http/access/device.ts'
import { isFormPost } from '../../http/parsing/form-body.ts'
import { attachmentHeaders } from '../../http/responses/response-headers.ts'
import { wantsPage } from '../../http/responses/wants-page.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import type { AppError } from '../../lib/errors.ts'
import { sendConfirmPage, submitConfirmation } from '../../ui/messages/confirm/confirm-link.ts'
import { downloadExport } from './download-export.ts'
import * as exports from './export-schemas.ts'
import { exportDownloadPath } from './make-export.ts'
import { privacyTextsFor } from './pages/texts.ts'
import { fileName } from './responses.ts'

const linkToData = { texts: (lang: string) => privacyTextsFor(lang).confirm, staysOpen: true }

/** The link opens a page with a button. The token is consumed only when the user clicks the button. */
export const downloadRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const config = { access: anyone, limit: 'token_validate', module: 'privacy' } as const
    const link = { ...config, limitForPages: 'read' } as const

    http.get(
      exportDownloadPath,
      { schema: exports.downloadLinkRoute(ctx.modules), config: link },
      async (request, reply) => {
        const { token } = request.query
        if (wantsPage(request))
          return sendConfirmPage(ctx, request, reply, { purpose: linkToData, action: exportDownloadPath, token })
        return sendArchive(reply, await downloadExport(ctx, token, deviceOf(request)))
      },
    )

    http.post(
      exportDownloadPath,
      { schema: exports.downloadRoute(ctx.modules), config: { ...config, form: true } },
      async (request, reply) => {
        const { token, form_token: formToken } = request.body
        const respond = async () => sendArchive(reply, await downloadExport(ctx, token, deviceOf(request)))
        return isFormPost(request)
          ? submitConfirmation(ctx, request, reply, {
              action: exportDownloadPath,
              token,
              formToken,
              respond,
              onRejected,
            })
          : respond()
      },
    )
  }

function sendArchive(reply: FastifyReply, archive: string): FastifyReply {
  attachmentHeaders(reply, fileName)
  return reply.type('application/json; charset=utf-8').send(archive)
}

const onRejected = async ({ code, status }: AppError) =>
  code === 'INVALID_TOKEN' ? { key: 'link_not_valid' as const, status, way: 'account' as const } : undefined
