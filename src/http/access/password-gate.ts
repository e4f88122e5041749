import type { preHandlerHookHandler, RouteOptions } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import type { HttpEdge } from '../server/edge.ts'
import { deviceOf } from './device.ts'

interface BodySchema {
  properties?: Record<string, { format?: string }>
}

/** The members of the body that contain a user's password: those with `format: 'password'`. */
export const passwordMembersOf = (schema: RouteOptions['schema']): string[] =>
  Object.entries((schema?.body as BodySchema | undefined)?.properties ?? {})
    .filter(([, { format }]) => format === 'password')
    .map(([name]) => name)

/**
 * Rejects every password while PASSWORDS_ENABLED is false. Nothing has been looked up yet, so the response is the same
 * for known and unknown users.
 */
export const passwordGate =
  ({ ctx, audit }: HttpEdge, route: string, members: readonly string[]): preHandlerHookHandler =>
  (request, _reply, done) => {
    const body = request.body as Record<string, unknown> | undefined
    if (ctx.config.PASSWORDS_ENABLED || members.every((name) => body?.[name] == null)) return done()
    const { auth } = request as { auth?: { user: { id: string; user_type: string } } }
    audit('password_rejected', deviceOf(request), { ...(auth && { actor: auth.user }), details: { route } }).then(
      () => done(new AppError('PASSWORDS_DISABLED')),
      done,
    )
  }
