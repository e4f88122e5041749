import type { Refusal } from '../call-api.ts'
import { type PageLanguage, textsFor } from '../texts/index.ts'

/** Names of fields that the API refused, with the code where it says more than the name does. */
export type FieldProblems = Record<string, string>

/** Which fields a refusal names. */
export const problemsIn = ({ code, details = [] }: Refusal): FieldProblems =>
  Object.fromEntries(details.map(({ field }) => [field, code]))

/** What a page says about one field: in words for its code, else in those for its name. */
export function fieldWords(
  lang: PageLanguage,
  problems: FieldProblems | undefined,
  words: Record<string, string>,
): (field: string) => string | undefined {
  const known = new Map(Object.entries(words))
  return (field) => {
    const code = problems?.[field]
    return code && (known.get(code) ?? known.get(field) ?? textsFor(lang).refusals.OTHER)
  }
}
