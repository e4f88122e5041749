import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { bearerValues } from '../access/auth.ts'

/** The values in Authorization that have the form of a key or token of this service, without repetitions. */
export function keysIn({ credentials }: Pick<Context, 'credentials'>, request: Pick<FastifyRequest, 'raw'>): string[] {
  if (request.raw.headers.authorization === undefined) return []
  return [...new Set(bearerValues(request))].filter((value) => credentials.recognize(value) !== undefined)
}
