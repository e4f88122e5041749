import { type PageLanguage, textsFor } from './texts/index.ts'

/** A code of the API, or one of our own: why a form is shown again. */
export type Problem = string | undefined

/** What a page says about it: in its own words, where it has some. */
export function wordsFor(lang: PageLanguage, problem: Problem, own: Record<string, string>): string | undefined {
  if (problem === undefined) return undefined
  const { refusals } = textsFor(lang)
  return new Map(Object.entries({ ...refusals, ...own })).get(problem) ?? refusals.OTHER
}
