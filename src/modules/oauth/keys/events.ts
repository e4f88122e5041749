import type { AuditedChange, Derivations } from '../../../audit/derive-events.ts'
import type { EventDataOf } from '../../../events/schemas.ts'
import type { ServiceEvent } from '../../../events/types.ts'
import type { signingKeyEventData } from './event-schemas.ts'

type KeyEvents = EventDataOf<typeof signingKeyEventData>

declare module '../../../events/types.ts' {
  interface ModuleEventData extends KeyEvents {}
}

/** The first key of an algorithm replaces none. */
const rotated = ({ details: { alg, kid, replaces, reason } }: AuditedChange): ServiceEvent[] => {
  if (typeof replaces !== 'string') return []
  const data = { alg: String(alg), kid: String(kid), replaces, compromised: reason === 'compromised' }
  return [{ type: 'signing_key.rotated', data }]
}

export const signingKeyDerivations: Derivations = { oauth_key_activated: rotated }
