import { adminTextsFor } from '../texts/index.ts'
import type { ConsolePart } from './console-part.ts'

export interface ShownAuditEvent {
  id: string
  time: string
  event: string
  outcome: 'success' | 'failure'
  actor_id: string | null
  actor_role: string | null
  actor_label: string | null
  target_id: string | null
  target_label: string | null
  impersonator_id: string | null
  impersonator_label: string | null
  method: string | null
  ip: string | null
  user_agent: string | null
  request_id: string | null
  details: Record<string, unknown>
}

/** A part of a sentence, with a link if it is a user's name. */
export interface SentencePart {
  text: string
  path?: string
}

export const eventSentence = (lang: string, event: ShownAuditEvent, parts: readonly ConsolePart[]): SentencePart[] =>
  sentenceOf(lang, event.event, parts)
    .split(/(\{(?:actor|target)\})/)
    .flatMap((piece) => {
      const { events } = adminTextsFor(lang)
      if (piece === '{actor}') return [personPart(event.actor_id, event.actor_label, otherActor(lang, event))]
      if (piece === '{target}') return [personPart(event.target_id, event.target_label, events.somebody)]
      return piece === '' ? [] : [{ text: piece }]
    })

/** Returns an event's label in selection lists: its sentence with an ellipsis in place of each user. */
export const eventLabel = (lang: string, event: string, parts: readonly ConsolePart[]): string =>
  sentenceOf(lang, event, parts)
    .replaceAll(/\{\w+\}/g, '…')
    .replace(/\.$/, '')

/** An event without a sentence is shown under its API name. */
function sentenceOf(lang: string, event: string, parts: readonly ConsolePart[]): string {
  const core: Readonly<Record<string, string>> = adminTextsFor(lang).events.sentences
  const all: Record<string, string> = Object.assign({}, core, ...parts.map(({ sentences }) => sentences?.(lang)))
  return (Object.hasOwn(all, event) ? all[event] : undefined) ?? event
}

/** Erased users have no name, and some actors are not users. */
const personPart = (id: string | null, label: string | null, otherwise: string): SentencePart =>
  id === null ? { text: otherwise } : { text: label ?? id, path: `/admin/people/${id}` }

function otherActor(lang: string, { actor_role: role, ip }: ShownAuditEvent): string {
  const { events } = adminTextsFor(lang)
  if (role === 'command_line') return events.operator
  return ip === null ? events.service : events.somebody
}
