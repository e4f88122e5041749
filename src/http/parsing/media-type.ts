import type { FastifyRequest } from 'fastify'

/** As Fastify chooses its parser. Comparing the raw header could treat a form as something else. */
export function mediaTypeOf({ headers }: FastifyRequest): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  return type.trim().toLowerCase()
}
