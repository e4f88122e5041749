import type { FastifyRequest } from 'fastify'
import { deviceOf } from '../../http/access/device.ts'
import type { Writer } from './change-post.ts'

export const writerOf = (request: FastifyRequest): Writer => ({ view: request.auth, device: deviceOf(request) })
