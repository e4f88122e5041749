import type { preHandlerHookHandler } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import type { HttpEdge } from '../server/edge.ts'

/** Runs after the request has been validated, so that nobody has to reauthenticate for an invalid request. */
export const reauthGate =
  ({ ctx, isRecentlyProven }: HttpEdge): preHandlerHookHandler =>
  (request, _reply, done) =>
    ctx.config.ADMIN_REAUTH && !isRecentlyProven(request.auth) ? done(new AppError('REAUTH_REQUIRED')) : done()
