import Type from 'typebox'
import { Id, Timestamp } from '../../http/responses/schemas.ts'

const deletion = { user_id: Id, scheduled_for: Timestamp }

export const privacyEventData = {
  'user.privacy_changed': Type.Object({
    user_id: Id,
    changed: Type.Array(Type.String(), { description: 'names of the changed members, without values' }),
  }),
  'user.deletion_requested': Type.Object(deletion),
  'user.deletion_cancelled': Type.Object(deletion),
} as const
