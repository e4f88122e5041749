import type { FastifyRequest } from 'fastify'
import { deviceOf } from '../http/access/device.ts'
import type { AdminRequest } from './locked-target.ts'

export const aboutUser = (request: FastifyRequest, { user_id }: { user_id: string }): AdminRequest => ({
  actor: request.auth.user,
  sessionId: request.auth.session.id,
  targetId: user_id,
  device: deviceOf(request),
})
