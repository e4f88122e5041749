import type { Context } from '../../context.ts'
import { signedIn } from '../../http/access/access.ts'
import { deviceOf } from '../../http/access/device.ts'
import { attachmentHeaders } from '../../http/responses/response-headers.ts'
import type { DeclareRoutes } from '../../http/server/types.ts'
import { signInDeviceOf } from '../../sessions/remembered-browsers.ts'
import { cancelOwnDeletion } from './cancel-deletion.ts'
import { findRequest } from './deletion-queries.ts'
import * as deletions from './deletion-schemas.ts'
import * as exports from './export-schemas.ts'
import { privacyHistory } from './history.ts'
import { requestOwnDeletion } from './request-deletion.ts'
import { exportNow, requestOwnExport } from './request-export.ts'
import { deletionResponse, exportResponse, fileName } from './responses.ts'
import * as schemas from './schemas.ts'
import { privacyStatus, shownStatus, updatePrivacy } from './update-status.ts'

const path = '/auth/user/me/privacy'
const module = 'privacy'

export const privacyRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const read = { access: signedIn, limit: 'read', whileImpersonating: 'allowed', module } as const
    const write = { access: signedIn, limit: 'write', module } as const
    const takesData = { access: signedIn, limit: 'export', module } as const

    http.get(path, { schema: schemas.PrivacyStatusRoute, config: read }, async ({ auth }) => ({
      success: true as const,
      data: shownStatus(await privacyStatus(ctx, auth.user.id)),
    }))

    http.put(path, { schema: schemas.UpdateStatusRoute, config: write }, async (request) => ({
      success: true as const,
      data: shownStatus(await updatePrivacy(ctx, request.auth, request.body, deviceOf(request))),
    }))

    http.get(`${path}/history`, { schema: schemas.PrivacyHistoryRoute, config: read }, async ({ auth, query }) => ({
      success: true as const,
      data: await privacyHistory(ctx, auth.user.id, query),
    }))

    http.get(
      `${path}/export`,
      { schema: exports.privacyExportRoute(ctx.modules), config: takesData },
      async (request, reply) => {
        const data = await exportNow(ctx, request.auth, deviceOf(request))
        if (request.query.download) attachmentHeaders(reply, fileName)
        return { success: true as const, data }
      },
    )

    http.post(`${path}/exports`, { schema: exports.RequestExportRoute, config: takesData }, async (request) => {
      const currentPassword = request.body.current_password
      return exportResponse(
        await requestOwnExport(ctx, request.auth, { ...signInDeviceOf(ctx, request), currentPassword }),
      )
    })

    const deletion = `${path}/delete-request`
    http.get(deletion, { schema: deletions.DeletionRoute, config: read }, async ({ auth }) =>
      deletionResponse(await findRequest(ctx.db, auth.user.id)),
    )

    http.post(deletion, { schema: deletions.RequestDeletionRoute, config: takesData }, async (request) => {
      const { current_password: currentPassword, reason } = request.body
      const requested = { ...signInDeviceOf(ctx, request), currentPassword, reason }
      return deletionResponse(await requestOwnDeletion(ctx, request.auth, requested))
    })

    http.delete(deletion, { schema: deletions.CancelDeletionRoute, config: write }, async (request) =>
      deletionResponse(await cancelOwnDeletion(ctx, request.auth, deviceOf(request))),
    )
  }
