import type { FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { inFlow } from '../flow/flow.ts'
import { flowIdOf } from '../flow/flow-cookies.ts'
import { isPage } from '../shared/is-page.ts'
import { createFormToken } from '../shared/own-form.ts'

export const languagePath = '/language'

export const languageForm = (ctx: Context, request: FastifyRequest, status: number) => ({
  formToken: createFormToken(ctx, request, languagePath),
  back: addressOf(request, status),
})

function addressOf(request: FastifyRequest, status: number): string {
  const { method, url, query, routeOptions } = request
  const [path = '/'] = url.split('?')
  if (method === 'GET' && status === 200) return path + ownQuery(query, routeOptions.schema?.querystring)
  return inFlow(isPage(request) ? path : '/', flowIdOf(request))
}

/** Keeps only the parameters that the schema defines. */
function ownQuery(query: unknown, schema: unknown): string {
  const { properties = {} } = (schema ?? {}) as { properties?: object }
  const own = Object.entries(query as Record<string, string>).filter(([name]) => name in properties)
  return own.length > 0 ? `?${new URLSearchParams(own)}` : ''
}
