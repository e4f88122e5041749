import { fillPlural, type PageLanguage, textsFor } from '../texts/index.ts'
import type { ApiRefusal } from './call-api.ts'

/** Why a form is shown again: a refusal of the API, or a code, which may be one of our own. */
export type Problem = string | ApiRefusal | undefined

/** What a page says about it: in its own words, where it has some. */
export function wordsFor(lang: PageLanguage, problem: Problem, own: Record<string, string>): string | undefined {
  if (problem === undefined) return undefined
  const { code, retryAfter }: ApiRefusal = typeof problem === 'string' ? { code: problem } : problem
  const { refusals, errors } = textsFor(lang)
  if (code === 'RATE_LIMITED' && retryAfter !== undefined)
    return fillPlural(lang, errors.limitedFor, Math.ceil(retryAfter / 60))
  return new Map(Object.entries({ ...refusals, ...own })).get(code) ?? refusals.OTHER
}

/** Its code. */
export const codeOf = (problem: Problem): string | undefined => (typeof problem === 'object' ? problem.code : problem)

const aboutCodes = ['INVALID_CODE', 'VALIDATION_ERROR']

/** Whether the code that was typed is at fault, rather than the page or the number of attempts. */
export const isAboutCode = (problem: Problem): boolean => aboutCodes.includes(codeOf(problem) ?? '')
