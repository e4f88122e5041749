import type { ErrorCode } from '../../lib/errors.ts'
import type { KnownRoute } from '../server/route-table.ts'
import { errorsOf } from './errors-of.ts'
import { headersOf } from './headers.ts'

declare module 'fastify' {
  interface FastifySchema {
    redirects?: Partial<Record<302 | 303 | 304, string>>
  }
}

export interface RawResponse {
  description: string
  content?: Record<string, { schema: unknown }>
}

export function responseObjects(success: RawResponse, operationId: string, route: KnownRoute): Record<string, unknown> {
  const redirects = Object.entries(route.schema.redirects ?? {}).map(([status, description]) => [
    status,
    { description, headers: headersOf(route, status === '304' ? 'success' : 'redirect') },
  ])
  const errors = [...errorsOf(route)].map(([status, codes]) => [
    `${status}`,
    { $ref: `#/components/responses/${errorName(status, codes, formOf(route))}` },
  ])
  return Object.fromEntries([['200', successResponse(success, operationId, route)], ...redirects, ...errors])
}

/** The text that @fastify/swagger uses for responses without a description. */
const undescribed = 'Default Response'

function successResponse({ description, content = {} }: RawResponse, operationId: string, route: KnownRoute) {
  const { form, limit, limitForPages } = route.rule
  const { 302: found, 303: seeOther } = route.schema.redirects ?? {}
  const hasPage = form === true || limit !== limitForPages || found !== undefined || seeOther !== undefined
  return {
    description: description === undescribed ? successText(operationId) : description,
    headers: headersOf(route, 'success'),
    content: { ...content, ...(hasPage && { 'text/html': { schema: { type: 'string' } } }) },
  }
}

function successText(operationId: string): string {
  const verb = /^[a-z]+/.exec(operationId)?.[0] ?? ''
  return successTexts[operationId] ?? successTexts[verb] ?? 'The request succeeded.'
}

const successTexts: Record<string, string> = {
  get: 'The requested data.',
  list: 'The requested list, or one page of it.',
  search: 'One page of results.',
  create: 'The created object.',
  update: 'The updated object.',
  sign: 'The session, or the available second factors if one is required.',
  signOut: 'The session has ended.',
  validate: 'The result of the check.',
  check: 'The result of the check.',
  plan: 'The planned steps.',
}

export function errorResponses(routes: readonly KnownRoute[]): Record<string, unknown> {
  const all = routes.flatMap((route) =>
    [...errorsOf(route)].map(([status, codes]) => ({ status, codes, form: formOf(route) })),
  )
  const byName = all.map(
    ({ status, codes, form }) => [errorName(status, codes, form), errorResponse(status, codes, form)] as const,
  )
  return Object.fromEntries(byName.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

type ErrorForm = KnownRoute['rule']['errors']

const formOf = ({ rule }: KnownRoute): ErrorForm => rule.errors

const errorName = (status: number, codes: ErrorCode[], form: ErrorForm): string =>
  [...(form === 'oauth' ? ['oauth'] : []), status, ...codes].join('.')

const errorResponse = (status: number, codes: ErrorCode[], form: ErrorForm) => ({
  description: codes.map((code) => `\`${code}\``).join(', '),
  headers: headersOf(undefined, kindOf(status)),
  content: { 'application/json': { schema: form === 'oauth' ? oauthError : withCodes(codes) } },
})

const withCodes = (codes: ErrorCode[]) => ({
  allOf: [
    { $ref: '#/components/schemas/Error' },
    { type: 'object', properties: { code: { type: 'string', enum: codes } } },
  ],
})

/** RFC 6749, 5.2. */
const oauthError = {
  type: 'object',
  required: ['error', 'error_description', 'request_id'],
  properties: {
    error: { type: 'string', description: 'a code of RFC 6749' },
    error_description: { type: 'string' },
    request_id: { type: 'string' },
  },
}

function kindOf(status: number): 'challenge' | 'retry' | 'error' {
  if (status === 401) return 'challenge'
  return status === 429 || status === 503 ? 'retry' : 'error'
}
