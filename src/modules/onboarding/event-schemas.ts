import Type from 'typebox'
import { Id } from '../../http/responses/schemas.ts'

export const onboardingEventData = { 'user.onboarded': Type.Object({ user_id: Id }) } as const
