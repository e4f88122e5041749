import Type from 'typebox'
import { Id, NullableTimestamp, namedSchema, Timestamp } from '../http/responses/schemas.ts'

export const Name = Type.String({ minLength: 1, maxLength: 64, pattern: '\\S', description: 'shown to the user' })

export const OwnPasskey = namedSchema(
  'Passkey',
  Type.Object({
    id: Id,
    name: Type.String(),
    created_at: Timestamp,
    last_used_at: NullableTimestamp,
    created_via: Type.String({ description: '`settings`, `registration`, `upgrade` or `recovery`' }),
    synced: Type.Boolean({ description: 'whether a password manager can keep a copy on other devices' }),
    backed_up: Type.Boolean({
      description: 'whether a password manager has a copy; if false, losing the device loses it',
    }),
    verified: Type.Boolean({
      description: 'whether the authenticator has verified the user, which a sign-in with the passkey requires',
    }),
  }),
)

export const RecoveryCodes = Type.Optional(
  Type.Array(Type.String(), {
    description: 'present if the user has no password and no recovery codes. They are shown only once',
  }),
)
