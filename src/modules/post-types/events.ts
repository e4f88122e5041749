import type { Derivations } from '../../audit/derive-events.ts'
import type { EventDataOf } from '../../events/schemas.ts'
import type { postTypeEventData } from './event-schemas.ts'

type PostTypeEvents = EventDataOf<typeof postTypeEventData>

declare module '../../events/types.ts' {
  interface ModuleEventData extends PostTypeEvents {}
}

const typeOf = { created: 'post_type.created', deleted: 'post_type.deleted' } as const

export const postTypeDerivations: Derivations = {
  post_type_changed: ({ details: { type_key, change } }) => [
    {
      type: change === 'created' || change === 'deleted' ? typeOf[change] : 'post_type.updated',
      data: { type_key: String(type_key) },
    },
  ],
}
