import type { ParsedUrlQuery } from 'node:querystring'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { TSchema } from 'typebox'
import { AppError, invalidField } from '../../lib/errors.ts'
import { assertSingle, formType, mediaTypeOf } from '../parsing/form-body.ts'
import { assertKnown, assertKnownMembers, normalizeMembers, spellingsOf } from '../parsing/normalize-members.ts'
import { assertRequestLine } from '../parsing/request-line.ts'
import type { HttpEdge } from '../server/edge.ts'
import type { RouteRule } from './route-rules.ts'

/** Of requests between programs. Forms of pages can have more. */
const maxParameters = 64

export function assertForm(request: FastifyRequest, reply: FastifyReply, rule: RouteRule): void {
  assertRequestLine(request, reply)
  if (rule.forGateways) return
  assertSingle(request.params as Record<string, string>)
  assertSingle(request.query as ParsedUrlQuery)
  // The body is not read.
  if (request.method === 'GET' || request.method === 'HEAD') return
  const type = mediaTypeOf(request)
  if (rule.upload && type !== '' && type !== 'multipart/form-data') throw notAnUpload()
  if (request.body !== undefined && type === formType && !rule.form) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  if (rule.form === 'only' && type !== '' && type !== formType)
    throw new AppError('UNSUPPORTED_MEDIA_TYPE', { sentence: `Send the request body as ${formType}` })
  if (rule.form === 'only') assertParameters(request.body ?? {})
  if (type.startsWith('multipart/') && !rule.upload) throw new AppError('UNSUPPORTED_MEDIA_TYPE')
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') throw new AppError('UNSUPPORTED_MEDIA_TYPE')
}

/** No parameter of OAuth contains a line break (RFC 6749, appendix A). */
function assertParameters(body: object): void {
  const parameters = Object.entries(body)
  if (parameters.length > maxParameters) throw invalidField('body', `must have at most ${maxParameters} parameters`)
  const [broken] = parameters.find(([, value]) => /[\r\n]/.test(String(value))) ?? []
  if (broken !== undefined) throw invalidField(broken.slice(0, 100), 'must not contain line breaks')
}

const notAnUpload = () =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', { sentence: 'Send the request body as multipart/form-data' })

/**
 * Whether unknown query parameters are rejected. If a misspelt filter were ignored, the response would contain all
 * rows, and clients might delete them.
 */
export const isGuardedList = (
  { ctx }: HttpEdge,
  { method, schema }: RouteOptions,
  { access, strictQuery }: RouteRule,
): boolean => {
  if (strictQuery) return true
  const { properties = {} } = (schema?.querystring ?? {}) as { properties?: object }
  return method !== 'POST' && access.permission !== undefined && 'page' in properties && !ctx.config.CLIENT_COMPAT
}

export function respelling(
  route: RouteOptions,
  { strictBody }: Pick<RouteRule, 'strictBody'>,
  rejectsUnknown: boolean,
): (request: FastifyRequest) => void {
  const body = route.schema?.body as TSchema | undefined
  const query = route.schema?.querystring as TSchema | undefined
  const [bodySpellings, querySpellings] = [spellingsOf(body), spellingsOf(query)]
  return (request) => {
    if (strictBody) assertKnownMembers(request.body, bodySpellings, strictBody)
    if (body) request.body = normalizeMembers(request.body ?? {}, bodySpellings, request.raw)
    if (query && rejectsUnknown) assertKnown(request.query as object, querySpellings)
    if (query) request.query = normalizeMembers(request.query, querySpellings, request.raw)
  }
}
