import type { FastifyRequest } from 'fastify'

export const envelope = <Data, Meta extends object>(
  { auth }: Pick<FastifyRequest, 'auth'>,
  data: Data,
  meta: Meta,
) => ({
  data,
  user_context: { authenticated: auth !== undefined, ...(auth && { user_type: auth.user.user_type }) },
  meta,
})
