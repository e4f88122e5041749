import type { FastifyRequest } from 'fastify'

/**
 * What the body claims to be, without parameters. Types are equal in any case, and Fastify chooses its parser so: who
 * compares the header itself takes for something else what was read as a form.
 */
export function mediaTypeOf({ headers }: FastifyRequest): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1)
  return type.trim().toLowerCase()
}
