import { adminTextsFor } from '../../../ui/console/texts/index.ts'
import { fill } from '../../../ui/texts/index.ts'
import { type TypedWebhook, typedEvents } from './paths.ts'

/** Names the first of the entered words that matches no event, because the API's message does not name it. */
export function withUnknownEvent(
  lang: string,
  problems: Record<string, string>,
  { events }: TypedWebhook,
  types: readonly string[],
): Record<string, string> {
  const word = typedEvents(events).find((one) => one !== '*' && !types.some((type) => selects(one, type)))
  if (problems.events === undefined || word === undefined) return problems
  return { ...problems, events: fill(adminTextsFor(lang).webhooks.unknownEvent, { word }) }
}

const selects = (word: string, type: string): boolean =>
  word === type || (word.endsWith('.*') && type.startsWith(word.slice(0, -1)))
