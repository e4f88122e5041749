import Type from 'typebox'
import { Id, onlyForClients, Timestamp } from '../http/responses/schemas.ts'
import { applicationSchema, confirmationSchema, Impersonator } from './schemas.ts'

export const BridgeSession = Type.Object({
  id: Id,
  userId: Id,
  expiresAt: Timestamp,
  ipAddress: Type.String(),
  userAgent: Type.String(),
  lastUsedAt: Timestamp,
  ...confirmationSchema,
  ...applicationSchema,
  impersonatedBy: Impersonator,
  user_id: Type.Optional(Type.String({ ...Id, ...onlyForClients })),
  expires_at: Type.Optional(Type.String({ ...Timestamp, ...onlyForClients })),
})
