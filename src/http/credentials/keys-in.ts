import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { authorizationOf } from '../access/authorization.ts'

/** The values in Authorization that have the form of a key or token of this service, without repetitions. */
export function keysIn({ credentials }: Pick<Context, 'credentials'>, request: Pick<FastifyRequest, 'raw'>): string[] {
  return [...new Set(authorizationOf(request, 'bearer'))].filter((value) => credentials.recognize(value) !== undefined)
}
