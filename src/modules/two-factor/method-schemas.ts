import Type from 'typebox'
import { describe, Id, NullableString, success, Timestamp } from '../../http/responses/schemas.ts'
import { CurrentPasswordBody } from '../../passwords/schemas.ts'
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

export const RegenerateRoute = describe(
  {
    operationId: 'regenerateRecoveryCodes',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CODE', 'INVALID_CURRENT_PASSWORD', 'REAUTH_REQUIRED', 'TWO_FACTOR_NO_METHOD'],
    summary: 'Generate new recovery codes',
    description:
      'Invalidates the previous codes, ends all other sessions and notifies the user by email. Requires a recent ' +
      'sign-in or `current_password`. If a second factor is enabled, the session must also have been confirmed with ' +
      'it. Otherwise, returns REAUTH_REQUIRED.',
    tag,
  },
  {
    body: CurrentPasswordBody,
  },
  success({ recovery_codes: Type.Array(Type.String()), message: Type.String() }),
)
