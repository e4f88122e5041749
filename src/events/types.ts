import { coreEventData, type EventDataOf, type EventSchemas } from './schemas.ts'

/** Modules add the `data` of their events through declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules extend this interface.
export interface ModuleEventData {}

type EventData = EventDataOf<typeof coreEventData> & ModuleEventData

export type EventType = keyof EventData

/** Contains ids and names, but never secrets, hashes, contact data or values of write-only members. */
export type ServiceEvent = { [Type in EventType]: { type: Type; data: EventData[Type] } }[EventType]

/** Increment this, and keep the old schema, if a member is removed or redefined. Adding a member is compatible. */
export const schemaVersion = 1

const declared = new Map<string, EventSchemas[string]>(Object.entries(coreEventData))

export function addEventTypes(schemas: EventSchemas): void {
  for (const [type, data] of Object.entries(schemas)) {
    if (declared.has(type)) throw new Error(`the event ${type} is already declared`)
    declared.set(type, data)
  }
}

export const eventTypes = (): ReadonlyMap<string, EventSchemas[string]> => declared
