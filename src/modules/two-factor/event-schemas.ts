import Type from 'typebox'
import { Id } from '../../http/responses/schemas.ts'

const ofFactor = () =>
  Type.Object({
    user_id: Id,
    factor_id: Id,
    method: Type.String({ description: '`email`, `sms`, `totp` or `passkey`' }),
  })

export const factorEventData = { 'factor.added': ofFactor(), 'factor.removed': ofFactor() } as const
