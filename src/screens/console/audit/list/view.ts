import { atTime } from '../../../../ui/account/when.ts'
import type { ConsolePart } from '../../../../ui/console/console-part.ts'
import { type AdminArea, renderAdminLayout } from '../../../../ui/console/layout.ts'
import { addressOf, type Pagination, pagerOf } from '../../../../ui/console/pager.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { PageContext } from '../../../../ui/shared/render.ts'
import { fillPlural } from '../../../../ui/texts/index.ts'
import { eventLabel, eventSentence, type ShownAuditEvent } from '../../shared/sentences.ts'
import { type AuditSearch, auditExportPath, auditPath, auditSearchNames, timeFields, usersFields } from '../search.ts'
import { eventChoices } from './event-choices.ts'
import { eventFacts } from './event-facts.ts'
import { type ShownSeals, sealsView } from './seals-view.ts'

/** The API stops counting at this number so that searches with many matches are fast. */
export const auditCountLimit = 10_000

export interface AuditPage {
  area: AdminArea
  mayAct: boolean
  /** Undefined if a filter is invalid. */
  found: { events: ShownAuditEvent[]; pagination: Pagination } | undefined
  seals: ShownSeals
  search: AuditSearch
  events: readonly string[]
  parts: readonly ConsolePart[]
  now: number
  timeZone: string | null
}

export function auditPage(data: AuditPage, page: PageContext): string {
  const { lang } = page
  const { audit: texts, people } = adminTextsFor(lang)
  const { found, search, seals, now, timeZone } = data
  const active = auditSearchNames.filter((name) => name !== 'page').filter((name) => search[name])
  const { page: _page, ...exported } = search
  return renderAdminLayout(
    data.area,
    {
      template: new URL('./audit.eta', import.meta.url),
      styles: ['audit.css'],
      title: texts.title,
      lead: texts.lead,
      action: data.mayAct
        ? { path: addressOf(auditExportPath, exported), label: texts.export, icon: 'download', isPlain: true }
        : undefined,
      data: {
        texts,
        auditPath,
        buttons: { apply: people.apply, clear: people.clear, removeFilter: people.removeFilter },
        active: active.map((name) => ({
          label: `${texts.fields[name]}: ${filterText(name, data, lang)}`,
          path: addressOf(auditPath, { ...search, [name]: undefined, page: undefined }),
        })),
        filtersLabel: active.length > 0 ? fillPlural(lang, people.filtersActive, active.length) : people.filters,
        eventField: {
          name: 'event',
          label: texts.fields.event,
          kind: 'select' as const,
          value: search.event ?? '',
          groups: eventChoices(lang, { events: data.events, chosen: search.event }, data.parts),
        },
        choices: [outcomeChoice(data, lang)],
        usersFields: usersFields.map((name) => ({ name, label: texts.fields[name], value: search[name] ?? '' })),
        timeFields: timeFields.map((name) => ({ name, label: texts.fields[name], value: localTime(search[name]) })),
        rows: found?.events.map((event) => rowOf(event, data, page)) ?? [],
        empty: emptyState(found, texts),
        pager: found && pagerOf(lang, found.pagination, search, { path: auditPath, countLimit: auditCountLimit }),
        seals: sealsView(seals, lang, { now, timeZone }),
      },
    },
    page,
  )
}

const rowOf = (event: ShownAuditEvent, { area, parts, timeZone }: AuditPage, { lang }: PageContext) => ({
  parts: eventSentence(lang, event, parts),
  failed: event.outcome === 'failure',
  at: atTime(lang, event.time, timeZone),
  time: event.time,
  ip: event.ip,
  facts: eventFacts(event, lang, area.roles),
})

function outcomeChoice({ search }: AuditPage, lang: string) {
  const { audit: texts, people } = adminTextsFor(lang)
  const outcomes = (['success', 'failure'] as const).map((value) => ({ value, label: texts.outcomes[value] }))
  const choices = [{ value: '', label: people.any }, ...outcomes]
  return { kind: 'select' as const, name: 'outcome', label: texts.fields.outcome, value: search.outcome ?? '', choices }
}

/** Links of other pages contain ids. The events that were found contain the name. */
function filterText(name: FilterName, { search, found, parts }: AuditPage, lang: string): string {
  const { outcomes } = adminTextsFor(lang).audit
  const text = search[name] ?? ''
  if (name === 'event') return eventLabel(lang, text, parts)
  if (name === 'outcome') return Object.hasOwn(outcomes, text) ? outcomes[text as keyof typeof outcomes] : text
  if (name === 'from' || name === 'to') return localTime(text).replace('T', ' ')
  for (const { actor_id, actor_label, target_id, target_label } of found?.events ?? []) {
    if (actor_id === text && actor_label !== null) return actor_label
    if (target_id === text && target_label !== null) return target_label
  }
  return text
}

type FilterName = Exclude<keyof AuditSearch, 'page'>

/** Converts a time to the format that `datetime-local` inputs accept. */
const localTime = (text = ''): string =>
  /^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00` : text.replace(/(T\d\d:\d\d)(:\d\d(\.\d+)?)?Z?$/, '$1')

function emptyState(found: AuditPage['found'], texts: ReturnType<typeof adminTextsFor>['audit']) {
  const action = { path: auditPath, label: texts.showAll }
  if (!found) return { icon: 'filter', title: texts.badFilter, text: texts.badFilterText, action }
  return { icon: 'search', title: texts.nothing, text: texts.nothingText, action }
}
