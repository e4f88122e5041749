import type { FastifyRequest } from 'fastify'
import { deviceOf } from '../http/access/device.ts'
import type { Request } from './locked-target.ts'

export const aboutUser = (request: FastifyRequest, { user_id }: { user_id: string }): Request => ({
  actor: request.auth.user,
  sessionId: request.auth.session.id,
  targetId: user_id,
  device: deviceOf(request),
})
