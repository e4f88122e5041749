import { type Derivations, namesIn, updated } from '../../audit/derive-events.ts'
import type { EventDataOf } from '../../events/schemas.ts'
import type { onboardingEventData } from './event-schemas.ts'

type OnboardingEvents = EventDataOf<typeof onboardingEventData>

declare module '../../events/types.ts' {
  interface ModuleEventData extends OnboardingEvents {}
}

export const onboardingDerivations: Derivations = {
  onboarding_completed: ({ target, details }) => [
    { type: 'user.onboarded', data: { user_id: target } },
    ...updated(target, namesIn(details.changed)),
  ],
}
