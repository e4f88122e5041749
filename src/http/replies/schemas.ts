import type { FastifySchema } from 'fastify'
import Type, { type TProperties, type TSchema } from 'typebox'
import { type ErrorCode, errorCodes } from '../../lib/errors.ts'

/** Schemas that every feature shares. A route's schema is its only description: types, validation, output, OpenAPI. */

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds' })
export const Id = Type.String({ format: 'uuid', description: 'opaque' })

/** A string, or null when unset. Written as one type, which serialises without a choice. */
export const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] })

/** The same for moments that may be none. */
export const NullableTimestamp = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })

export const ErrorBody = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String({ description: 'a sentence that may be shown' }),
    code: Type.Unsafe<ErrorCode>({ type: 'string', enum: errorCodes, description: 'for programs', title: 'ErrorCode' }),
    details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
    verified: Type.Optional(Type.Literal(false, { description: 'of a second factor that was wrong' })),
    attempts_remaining: Type.Optional(Type.Integer({ description: 'how often it may still be tried' })),
    request_id: Type.String(),
  },
  { $id: 'Error', title: 'Error' },
)

/** The same schema under a name: the API description has it once, and refers to it. */
export const named = <Schema extends TSchema>(title: string, schema: Schema): Schema => Object.assign(schema, { title })

/** `success: true` and the members of one reply, in this order. */
export const success = <Members extends TProperties>(members: Members) =>
  Type.Object({ success: Type.Literal(true), ...members })

export const Done = named('Done', success({ message: Type.String() }))

/** Who asked, as replies under /api/v1 say it. */
export const UserContext = named(
  'UserContext',
  Type.Object({ authenticated: Type.Boolean(), user_type: Type.Optional(Type.String()) }),
)

/** Members of the query of every list. */
export const pageMembers = {
  page: Type.Optional(Type.Integer({ minimum: 1, description: '1 when absent' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: '10 when absent; above 100 is lowered to 100' })),
}

export const Pagination = named(
  'Pagination',
  Type.Object({
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    pages: Type.Integer(),
  }),
)

/** Of a query parameter: it is described while modules bring a column of its name. */
export const ofModuleColumn = { 'x-module-column': true }

/** Of a user: the columns that modules bring are described as members of it. */
export const withModuleColumns = { 'x-module-columns': true }

export interface RouteText {
  /** A verb and its object, unique among operations: clients are generated from it. A later route with the same one is a second address. */
  operationId: string
  summary: string
  description?: string
  tag: string
  /** The codes of errors that its use case throws; what access, limit, module and body imply is added by itself. */
  errors?: FastifySchema['errors']
  redirects?: FastifySchema['redirects']
  sessionCookie?: FastifySchema['sessionCookie']
}

/** The schema part of a route object: text for the documentation, what comes in and what goes out. */
export const describe = <
  Parts extends { body?: TSchema; querystring?: TSchema; headers?: TSchema; params?: TSchema },
  Reply extends TSchema,
>(
  { tag, ...text }: RouteText,
  parts: Parts,
  reply: Reply,
) => ({ ...text, tags: [tag], ...parts, response: { 200: reply } })
