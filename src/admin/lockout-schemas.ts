import Type from 'typebox'
import { Done, describe, Id, NullableString, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'

const tag = 'Administration'

const Lockout = namedSchema(
  'Lockout',
  Type.Object({
    user_id: Id,
    label: NullableString,
    locked_at: Timestamp,
    locked_until: Timestamp,
    ip: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'IP address of the last failed attempt before the lock',
    }),
  }),
)

const Throttled = namedSchema(
  'ThrottledAccount',
  Type.Object({
    user_id: Id,
    label: NullableString,
    last_failed_at: Timestamp,
    throttled_until: Type.String({
      format: 'date-time',
      description: 'until when further passwords are refused without being checked, even the correct one',
    }),
    ip: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'IP address of the last failed attempt' }),
  }),
)

export const LockoutsRoute = describe(
  {
    operationId: 'listLockouts',
    summary: 'List accounts locked after failed sign-ins',
    description:
      'Lists up to 1,000 locks, newest first, and accounts that have used up their attempts for the next minutes. ' +
      'Superadmins see all accounts. Other administrators do not see superadmins.',
    tag,
  },
  {},
  success({ data: Type.Object({ lockouts: Type.Array(Lockout), throttled: Type.Array(Throttled) }) }),
)

export const UnlockRoute = describe(
  {
    operationId: 'unlockUser',
    errors: ['NOT_FOUND', 'REAUTH_REQUIRED'],
    summary: 'Unlock an account after failed sign-ins',
    description:
      'Clears the failed attempts. A blocked user remains blocked. Only a superadmin can unlock a superadmin. ' +
      'Requires a sign-in or reauthentication within REAUTH_WINDOW. Succeeds even if the account is not locked.',
    tag,
  },
  {
    params: Type.Object({
      user_id: Type.String({ maxLength: 100, examples: ['01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf'] }),
    }),
  },
  Done,
)
