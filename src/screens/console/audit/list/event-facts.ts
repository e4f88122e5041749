import { type RolesInWords, roleName } from '../../../../ui/console/roles.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { SentencePart, ShownAuditEvent } from '../../shared/sentences.ts'

export interface EventFact {
  label: string
  /** True for API member names, which are not translated. */
  isCode?: true
  parts: SentencePart[]
}

export function eventFacts(event: ShownAuditEvent, lang: string, roles: RolesInWords): EventFact[] {
  const { facts } = adminTextsFor(lang).audit
  const all: [keyof typeof facts, string | null][] = [
    ['event', event.event],
    ['time', event.time],
    ['role', event.actor_role && roleName(lang, event.actor_role, roles)],
    ['ip', event.ip],
    ['userAgent', event.user_agent],
    ['method', event.method],
    ['requestId', event.request_id],
    ['id', event.id],
  ]
  const { impersonator_id: id, impersonator_label: label } = event
  return [
    ...(id ? [{ label: facts.impersonator, parts: [{ text: label ?? id, path: `/admin/people/${id}` }] }] : []),
    ...detailFacts(event.details),
    ...all.flatMap(([name, value]) => (value ? [{ label: facts[name], parts: [{ text: value }] }] : [])),
  ]
}

/** Shows a change as the old value, an arrow and the new value. */
function detailFacts(details: Record<string, unknown>, before = ''): EventFact[] {
  if (isChange(details)) return [fact(before || 'change', changeText(details))]
  return Object.entries(details).flatMap(([name, value]) => {
    const label = before ? `${before}.${name}` : name
    if (!isObject(value)) return [fact(label, textOf(value))]
    return detailFacts(value, label)
  })
}

const fact = (label: string, text: string): EventFact => ({ label, isCode: true, parts: [{ text }] })

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isChange = (value: Record<string, unknown>): value is { from: unknown; to: unknown } =>
  Object.keys(value).length === 2 && 'from' in value && 'to' in value

const changeText = ({ from, to }: { from: unknown; to: unknown }): string => `${textOf(from)} → ${textOf(to)}`

function textOf(value: unknown): string {
  if (value === null || value === '') return '–'
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
