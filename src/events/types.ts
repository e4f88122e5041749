import type { Static, TObject } from 'typebox'
import { coreEventData } from './schemas.ts'

/** Modules add the `data` of their events through declaration merging. */
// biome-ignore lint/suspicious/noEmptyInterface: modules fill it.
export interface ModuleEventData {}

type CoreEventData = { [Type in keyof typeof coreEventData]: Static<(typeof coreEventData)[Type]> }

export interface EventData extends CoreEventData, ModuleEventData {}

export type EventType = keyof EventData

/** What happened, as back ends learn it. Never contains secrets, contact data or write-only members. */
export type ServiceEvent = { [Type in EventType]: { type: Type; data: EventData[Type] } }[EventType]

export type EventDeclarations = Readonly<Record<string, TObject>>

const declared = new Map<string, TObject>(Object.entries(coreEventData))

export function addEventTypes(added: EventDeclarations): void {
  for (const [type, data] of Object.entries(added)) {
    if (declared.has(type)) throw new Error(`the event ${type} is already declared`)
    declared.set(type, data)
  }
}

export const eventTypes = (): ReadonlyMap<string, TObject> => declared
