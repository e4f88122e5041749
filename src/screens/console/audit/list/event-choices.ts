import type { ConsolePart } from '../../../../ui/console/console-part.ts'
import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { ChoiceGroup } from '../../../../ui/fields/field.ts'
import { eventLabel } from '../../shared/sentences.ts'
import { coreEventGroups, type EventGroup } from './event-groups.ts'

/**
 * The core's events by subject, followed by those of modules. Each group is sorted by label. Events of unavailable
 * modules have no label and are omitted, except for the chosen event.
 */
export function eventChoices(
  lang: string,
  { events, chosen }: { events: readonly string[]; chosen: string | undefined },
  parts: readonly ConsolePart[],
): ChoiceGroup[] {
  const { audit, people } = adminTextsFor(lang)
  const { groups } = audit
  const left = new Set(events.filter((event) => event === chosen || eventLabel(lang, event, parts) !== event))
  const groupOf = (label: string, members: readonly string[]): ChoiceGroup => {
    const known = members.filter((event) => left.delete(event))
    const choices = known.map((value) => ({ value, label: eventLabel(lang, value, parts) }))
    return { label, choices: choices.toSorted((one, other) => one.label.localeCompare(other.label, lang)) }
  }
  const core = Object.entries(coreEventGroups).map(([name, members]) => groupOf(groups[name as EventGroup], members))
  const added = parts.flatMap(({ eventGroup, sentences }) =>
    sentences ? [groupOf(eventGroup?.(lang) ?? groups.other, Object.keys(sentences(lang)))] : [],
  )
  const named = [...core, ...added, groupOf(groups.other, [...left])].filter(({ choices }) => choices.length > 0)
  return [{ choices: [{ value: '', label: people.any }] }, ...named]
}
