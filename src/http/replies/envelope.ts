import type { FastifyRequest } from 'fastify'

/** What replies under /api/v1 say beside their data: who asked, and what is to be said about the answer itself. */
export const envelope = <Data, Meta extends object>(
  { auth }: Pick<FastifyRequest, 'auth'>,
  data: Data,
  meta: Meta,
) => ({
  data,
  user_context: { authenticated: auth !== undefined, ...(auth && { user_type: auth.user.user_type }) },
  meta,
})
