import type { FastifyRequest } from 'fastify'

/** Whether a browser can open the request's path, which may also be the path of a form. */
export const isPage = ({ method, routeOptions: { url }, server }: FastifyRequest): boolean =>
  method === 'GET' || (url !== undefined && server.hasRoute({ method: 'GET', url }))
