import Type from 'typebox'
import { describe, Id, NullableString, success, Timestamp } from '../../http/responses/schemas.ts'
import { enumOf, Kind, Members, tag } from './schemas.ts'

export const SystemRoute = describe(
  {
    operationId: 'getTwoFactorSystem',
    summary: 'Get the available two-factor methods',
    description: 'States whether two-factor sign-in is enabled for this service. Does not require a session.',
    tag,
  },
  {},
  success({
    global_two_factor_enabled: Type.Boolean(),
    available_methods: Type.Array(Kind, { description: 'methods that can be set up' }),
  }),
)

interface MethodDetails {
  /** The name of a passkey. */
  name?: string
  /** The number of unused recovery codes. */
  remaining?: number
}

export const MethodsRoute = describe(
  {
    operationId: 'listTwoFactorMethods',
    summary: 'List your second factors',
    description: 'All recovery codes appear as one entry.',
    tag,
  },
  {},
  success({
    methods: Type.Array(
      Type.Object({
        id: Id,
        method: Kind,
        status: enumOf(['pending_setup', 'active'] as const),
        identifier: NullableString,
        last_used_at: Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time' }),
        created_at: Timestamp,
        metadata: Type.Unsafe<MethodDetails>(Members('kind-specific details of the method; shown only to its owner')),
      }),
    ),
  }),
)
