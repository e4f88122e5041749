import Type from 'typebox'
import { Id } from '../../http/responses/schemas.ts'

const nullableId = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'uuid', description })

const about = {
  key_id: Id,
  user_id: nullableId('the user whose key it is; null for a service account'),
  service_account_id: nullableId('the service account whose key it is; null for a user'),
}

export const keyEventData = {
  'key.created': Type.Object({ ...about, replaces: nullableId('the key that the new one replaces') }),
  'key.revoked': Type.Object({ ...about, reason: Type.String() }),
  'key.expired': Type.Object(about),
} as const
