import { type AuditedChange, type Derivations, passkeysRemoved, updated } from '../../audit/derive-events.ts'
import type { EventDataOf } from '../../events/schemas.ts'
import type { ServiceEvent } from '../../events/types.ts'
import type { factorEventData } from './event-schemas.ts'

type FactorEvents = EventDataOf<typeof factorEventData>

declare module '../../events/types.ts' {
  interface ModuleEventData extends FactorEvents {}
}

type FactorEvent = keyof FactorEvents

const ofFactor = (type: FactorEvent, user_id: string, { id, method }: Record<string, unknown>): ServiceEvent => ({
  type,
  data: { user_id, factor_id: String(id), method: String(method) },
})

/** New recovery codes are recorded with the same type of audit event as new methods, but without an id. */
const single =
  (type: FactorEvent) =>
  ({ target, details }: AuditedChange): ServiceEvent[] =>
    details.id === undefined ? toggled(target, details) : [ofFactor(type, target, details)]

const toggled = (target: string, { reason }: AuditedChange['details']): ServiceEvent[] =>
  reason === 'toggle' ? updated(target, ['two_factor']) : []

const isFactor = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const allRemoved = ({ target, details: { factors } }: AuditedChange): ServiceEvent[] =>
  (Array.isArray(factors) ? factors.filter(isFactor) : []).map((factor) => ofFactor('factor.removed', target, factor))

export const factorDerivations: Derivations = {
  mfa_enrolled: single('factor.added'),
  mfa_removed: (change) => [...single('factor.removed')(change), ...allRemoved(change), ...passkeysRemoved(change)],
  credentials_removed: allRemoved,
}
