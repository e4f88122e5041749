import type { FastifyRequest } from 'fastify'
import { deviceOf } from '../../http/access/device.ts'
import type { PostWriter } from './change-post.ts'

export const writerOf = (request: FastifyRequest): PostWriter => ({ view: request.auth, device: deviceOf(request) })
