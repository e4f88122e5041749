import type { FastifySchema } from 'fastify'
import Type, { type TProperties, type TSchema } from 'typebox'
import { type ErrorCode, errorCodes } from '../../lib/errors.ts'
import { exampleValues } from './examples.ts'

export const Timestamp = Type.String({ format: 'date-time', description: 'ISO 8601, UTC, with milliseconds' })
export const Id = Type.String({ format: 'uuid', description: 'opaque identifier' })

/** A type union serializes faster than `anyOf`. */
export const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] })

export const NullableTimestamp = Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' })

/** For `expected_updated_at`. */
export const ExpectedTime = Type.Optional(
  Type.String({
    maxLength: 40,
    description: 'fails with EDIT_CONFLICT if `updated_at` has another value',
    examples: [exampleValues.time],
  }),
)

export const ErrorBody = Type.Object(
  {
    success: Type.Literal(false),
    error: Type.String({ description: 'a message that can be shown to users' }),
    code: Type.Unsafe<ErrorCode>({ type: 'string', enum: errorCodes, description: 'for programs', title: 'ErrorCode' }),
    details: Type.Optional(Type.Array(Type.Object({ field: Type.String(), message: Type.String() }))),
    verified: Type.Optional(
      Type.Literal(false, { description: 'false after a wrong second factor; otherwise absent' }),
    ),
    attempts_remaining: Type.Optional(Type.Integer({ description: 'remaining attempts' })),
    unknown_credential: Type.Optional(
      Type.Literal(true, { description: 'no user has this passkey: pass it to signalUnknownCredential' }),
    ),
    passkey_required: Type.Optional(
      Type.Literal(true, {
        description:
          'with REAUTH_REQUIRED: only a passkey confirms the identity; otherwise: the user must add or use a passkey',
      }),
    ),
    required: Type.Optional(
      Type.Array(Type.String(), { description: 'with INSUFFICIENT_SCOPE: the scopes that the credential must have' }),
    ),
    request_id: Type.String(),
  },
  { $id: 'Error', title: 'Error' },
)

export const namedSchema = <Schema extends TSchema>(title: string, schema: Schema): Schema =>
  Object.assign(schema, { title })

export const success = <Members extends TProperties>(members: Members) =>
  Type.Object({ success: Type.Literal(true), ...members })

export const Done = namedSchema('Done', success({ message: Type.String() }))

export const UserContext = namedSchema(
  'UserContext',
  Type.Object({ authenticated: Type.Boolean(), user_type: Type.Optional(Type.String()) }),
)

export const pageMembers = {
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'default: 1' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, description: 'default: 10; values above 100 are treated as 100' })),
}

export const Pagination = namedSchema(
  'Pagination',
  Type.Object({
    page: Type.Integer(),
    limit: Type.Integer(),
    total: Type.Integer(),
    pages: Type.Integer(),
    has_more: Type.Boolean({ description: 'whether there is another page' }),
  }),
)

/** The parameter is documented only while the component that provides the filter is installed. */
export const ofModuleFilter = { 'x-module-filter': true }

/** Marks a member that is present only for published clients. */
export const onlyForClients = { description: 'only with CLIENT_COMPAT', 'x-client-compat': true } as const

/** Module columns are added to the documented object. */
export const withModuleColumns = { 'x-module-columns': true }

export interface RouteText {
  /** A verb and its object, such as `listSessions`, for generated clients. Alternative paths have the same id. */
  operationId: string
  summary: string
  description?: string
  tag: string
  /** The use case's error codes. Codes implied by access, limit, module and body are added automatically. */
  errors?: NonNullable<FastifySchema['errors']>
  redirects?: NonNullable<FastifySchema['redirects']>
  sessionCookie?: NonNullable<FastifySchema['sessionCookie']>
}

export const describe = <
  Parts extends { body?: TSchema; querystring?: TSchema; headers?: TSchema; params?: TSchema },
  Response extends TSchema,
>(
  { tag, ...text }: RouteText,
  parts: Parts,
  response: Response,
) => ({ ...text, tags: [tag], ...parts, response: { 200: response } })
