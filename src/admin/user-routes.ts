import type { StaffPermission } from '../config/staff-permissions.ts'
import type { Context } from '../context.ts'
import { staffReading, staffWithReauth } from '../http/access/access.ts'
import { viewerOf } from '../http/credentials/authenticate-key.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import { endedResponse } from '../sessions/responses.ts'
import { blockUser, unblockUser } from './block-user.ts'
import { createByAdmin } from './create-by-admin.ts'
import { deleteByAdmin, endSessionsByAdmin, restoreByAdmin } from './end-by-admin.ts'
import { aboutUser, signedInAdmin } from './locked-target.ts'
import { resetPasskeys } from './reset-passkeys.ts'
import { ResetPasskeysRoute } from './reset-passkeys-schemas.ts'
import { asDeprecatedResponse, detailsResponse, searchResponse, userResponse } from './responses.ts'
import { deprecatedSearchRoute, searchRoute } from './search-schemas.ts'
import { searchUsers } from './search-users.ts'
import { sendMessageByAdmin, startEmailChangeByAdmin } from './send-message.ts'
import { updateByAdmin } from './update-by-admin.ts'
import { userDetails } from './user-details.ts'
import { DeprecatedDetailsRoute, DetailsRoute } from './user-details-schemas.ts'
import * as schemas from './user-schemas.ts'

const change = (permission: StaffPermission) => ({ access: staffWithReauth(permission), limit: 'admin' }) as const
const read = { access: staffReading('users:read'), limit: 'admin' } as const

/** RFC 9745: the date on which the old search was deprecated. */
const deprecation = { deprecation: `@${Date.UTC(2026, 10, 1) / 1000}`, link: '</auth/users>; rel="successor-version"' }

const ofAdmin = '/auth/admin/users'
/**
 * The prefix of the shorter paths that published clients use. These clients read the user's members at the top level of
 * `data`.
 */
const twin = '/auth/users'

export const userRoutes =
  (ctx: Context): DeclareRoutes =>
  (http) => {
    const filters = ctx.modules.declaredFilters()
    for (const path of [twin, `${twin}/search`]) {
      http.get(path, { schema: searchRoute(filters), config: read }, async ({ query }) =>
        searchResponse(ctx, await searchUsers(ctx, query)),
      )
    }
    http.get(ofAdmin, { schema: deprecatedSearchRoute(filters), config: read }, async ({ query }, reply) => {
      reply.headers(deprecation)
      return searchResponse(ctx, await searchUsers(ctx, query))
    })

    http.get(`${ofAdmin}/:user_id`, { schema: DetailsRoute, config: read }, async (request) =>
      detailsResponse(ctx, await userDetails(ctx, request.params.user_id, viewerOf(request))),
    )
    http.get(`${twin}/:user_id`, { schema: DeprecatedDetailsRoute, config: read }, async (request) =>
      asDeprecatedResponse(
        await detailsResponse(ctx, await userDetails(ctx, request.params.user_id, viewerOf(request))),
      ),
    )

    http.post(ofAdmin, { schema: schemas.CreateUserRoute, config: change('users:create') }, async (request) =>
      userResponse(ctx, await createByAdmin(ctx, signedInAdmin(request), request.body)),
    )
    http.post(twin, { schema: schemas.DeprecatedCreateUserRoute, config: change('users:create') }, async (request) =>
      asDeprecatedResponse(await userResponse(ctx, await createByAdmin(ctx, signedInAdmin(request), request.body))),
    )

    http.put(
      `${ofAdmin}/:user_id`,
      { schema: schemas.UpdateUserRoute, config: change('users:update') },
      async (request) => userResponse(ctx, await updateByAdmin(ctx, aboutUser(request, request.params), request.body)),
    )
    http.put(
      `${twin}/:user_id`,
      { schema: schemas.DeprecatedUpdateUserRoute, config: change('users:update') },
      async (request) =>
        asDeprecatedResponse(
          await userResponse(ctx, await updateByAdmin(ctx, aboutUser(request, request.params), request.body)),
        ),
    )

    for (const path of [ofAdmin, twin]) {
      http.delete(
        `${path}/:user_id`,
        { schema: schemas.DeleteUserRoute, config: change('users:delete') },
        async (request) => {
          await deleteByAdmin(ctx, aboutUser(request, request.params))
          return { success: true as const, message: 'User deleted' }
        },
      )
    }
    http.post(
      `${ofAdmin}/:user_id/restore`,
      { schema: schemas.RestoreRoute, config: change('users:restore') },
      async (request) => userResponse(ctx, await restoreByAdmin(ctx, aboutUser(request, request.params))),
    )

    http.post(
      `${ofAdmin}/:user_id/block`,
      { schema: schemas.BlockRoute, config: change('users:block') },
      async (request) => userResponse(ctx, await blockUser(ctx, aboutUser(request, request.params), request.body)),
    )
    http.post(
      `${ofAdmin}/:user_id/unblock`,
      { schema: schemas.UnblockRoute, config: change('users:block') },
      async (request) => userResponse(ctx, await unblockUser(ctx, aboutUser(request, request.params))),
    )

    http.post(
      `${ofAdmin}/:user_id/send`,
      { schema: schemas.SendMessageRoute, config: change('users:send_message') },
      async (request) => {
        await sendMessageByAdmin(ctx, aboutUser(request, request.params), request.body.message)
        return { success: true as const, message: 'The message was accepted for delivery.' }
      },
    )
    http.post(
      `${ofAdmin}/:user_id/email-change`,
      { schema: schemas.StartEmailChangeRoute, config: change('users:update') },
      async (request) => {
        await startEmailChangeByAdmin(ctx, aboutUser(request, request.params), request.body.new_email)
        return { success: true as const, message: 'Both inboxes must confirm the change.' }
      },
    )

    http.delete(
      `${ofAdmin}/:user_id/passkeys`,
      { schema: ResetPasskeysRoute, config: change('users:reset_factors') },
      async (request) => {
        await resetPasskeys(ctx, aboutUser(request, request.params))
        return { success: true as const, message: 'Passkeys removed' }
      },
    )

    http.delete(
      `${ofAdmin}/:user_id/sessions`,
      { schema: schemas.EndSessionsRoute, config: change('users:end_sessions') },
      async (request) => endedResponse(await endSessionsByAdmin(ctx, aboutUser(request, request.params))),
    )
    http.delete(
      `${ofAdmin}/:user_id/sessions/:session_id`,
      { schema: schemas.EndSessionRoute, config: change('users:end_sessions') },
      async (request) =>
        endedResponse(await endSessionsByAdmin(ctx, aboutUser(request, request.params), request.params.session_id)),
    )
  }
