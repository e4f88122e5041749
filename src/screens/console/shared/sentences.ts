import type { AuditRoute } from '../../../audit/schemas.ts'
import type { ConsolePart } from '../../../ui/console/console-part.ts'
import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'

export type ShownAuditEvent = ResponseOf<typeof AuditRoute>['data']['events'][number]

/** A part of a sentence, with a link if it is a user's name. */
export interface SentencePart {
  text: string
  path?: string
}

export const eventSentence = (lang: string, event: ShownAuditEvent, parts: readonly ConsolePart[]): SentencePart[] =>
  (ownSentence(lang, event, parts) ?? detailedSentence(lang, event, parts) ?? sentenceOf(lang, event.event, parts))
    .split(/(\{(?:actor|target)\})/)
    .flatMap((piece, index, pieces) => {
      const { events } = adminTextsFor(lang)
      if (piece === '{actor}') return actorParts(lang, event)
      const unnamed = pieces[index - 1] === '' ? events.somebody : events.someone
      if (piece === '{target}') return [userPart(event.target_id, event.target_label, unnamed)]
      return piece === '' ? [] : [{ text: piece }]
    })

/** Returns an event's label in selection lists: its sentence without the subject and without names. */
export function eventLabel(lang: string, event: string, parts: readonly ConsolePart[]): string {
  const { someone } = adminTextsFor(lang).events
  const label = sentenceOf(lang, event, parts)
    .replace(/^\{\w+\} /, '')
    .replaceAll(/\{\w+\}/g, someone)
    .replace(/\.$/, '')
  return label === event ? label : `${label.slice(0, 1).toLocaleUpperCase(lang)}${label.slice(1)}`
}

/** An event for which no sentence is defined is shown under its API name. */
function sentenceOf(lang: string, event: string, parts: readonly ConsolePart[]): string {
  const core: Readonly<Record<string, string>> = adminTextsFor(lang).events.sentences
  const all: Record<string, string> = Object.assign({}, core, ...parts.map(({ sentences }) => sentences?.(lang)))
  return (Object.hasOwn(all, event) ? all[event] : undefined) ?? event
}

/** Returns the sentence for an event whose meaning depends on whether actor and target are one person, two or none. */
function ownSentence(lang: string, event: ShownAuditEvent, parts: readonly ConsolePart[]): string | undefined {
  const { own, forAnother, unknown } = adminTextsFor(lang).events
  const { event: name, actor_id: actor, target_id: target, impersonator_id: impersonator, details } = event
  const isOwn = actor !== null && actor === target && impersonator === null
  const isForAnother = actor !== null && target !== null && actor !== target
  const all: Record<string, string> = Object.assign(
    {},
    ...(isOwn ? [own, ...parts.map(({ ownSentences }) => ownSentences?.(lang))] : []),
    isForAnother && forAnother,
    // A passkey names no account.
    target === null && details.proof !== 'passkey' && unknown,
  )
  return Object.hasOwn(all, name) ? all[name] : undefined
}

/** Returns a sentence that states what was changed. Undefined if the event lacks a detail that the sentence needs. */
function detailedSentence(
  lang: string,
  { event, details }: ShownAuditEvent,
  parts: readonly ConsolePart[],
): string | undefined {
  for (const part of parts) {
    const sentence = part.detailed?.(lang, { event, details })
    if (sentence !== undefined) return sentence
  }
  const { events, roles, brand, messages } = adminTextsFor(lang)
  if (event === 'admin_user_created' && details.invited === true) return events.invited
  const detailed: Readonly<Record<string, string>> = events.detailed
  const name = sentenceName(event, details)
  const sentence = Object.hasOwn(detailed, name) ? detailed[name] : undefined
  const labels: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    role_changed: roles.names,
    settings_changed: brand.fields,
    message_template_changed: messages.names,
    message_template_reset: messages.names,
    test_message_sent: messages.names,
  }
  const names = labels[event] ?? {}
  const shown = (name: string) => detailText(details[name], names)
  const needed = [...(sentence?.matchAll(/\{(\w+)\}/g) ?? [])].flatMap(([, name = '']) =>
    isActorOrTarget(name) ? [] : [name],
  )
  if (needed.some((name) => shown(name) === undefined)) return undefined
  return sentence?.replaceAll(/\{(\w+)\}/g, (found, name: string) =>
    isActorOrTarget(name) ? found : (shown(name) ?? found),
  )
}

function sentenceName(event: string, { code, reason }: ShownAuditEvent['details']): string {
  if (event === 'authz_denied' && code === 'REAUTH_REQUIRED') return 'proof_missing'
  return event === 'passkey_rejected' && reason === 'last_sign_in_method' ? 'last_passkey' : event
}

const isActorOrTarget = (name: string) => name === 'actor' || name === 'target'

/** Removes braces so that a detail cannot add a placeholder. An object is shown as the names of its members. */
function detailText(value: unknown, names: Readonly<Record<string, string>>): string | undefined {
  const found = typeof value === 'object' && value !== null ? Object.keys(value) : [value]
  const texts = found.flatMap((name) =>
    typeof name === 'string' ? [(Object.hasOwn(names, name) ? names[name] : undefined) ?? name] : [],
  )
  return texts.length > 0 ? texts.join(', ').replaceAll(/[{}]/g, '') : undefined
}

/** While a superadmin acts as a user, the event's actor is that user. The sentence always names the superadmin. */
function actorParts(lang: string, event: ShownAuditEvent): SentencePart[] {
  const actor = userPart(event.actor_id, event.actor_label, otherActor(lang, event))
  if (event.impersonator_id === null) return [actor]
  const impersonator = userPart(event.impersonator_id, event.impersonator_label, '')
  if (event.event === 'impersonation_ended') return [impersonator]
  return adminTextsFor(lang)
    .events.actingAs.split(/(\{\w+\})/)
    .filter((piece) => piece !== '')
    .map((piece) => ({ '{impersonator}': impersonator, '{actor}': actor })[piece] ?? { text: piece })
}

/** Erased users have no name, and some actors are not users. */
const userPart = (id: string | null, label: string | null, otherwise: string): SentencePart =>
  id === null ? { text: otherwise } : { text: label ?? id, path: `/admin/people/${id}` }

function otherActor(lang: string, { actor_role: role, ip }: ShownAuditEvent): string {
  const { events } = adminTextsFor(lang)
  if (role === 'command_line') return events.operator
  return ip === null ? events.service : events.somebody
}
