import { sentenceOf } from '../../lib/errors.ts'
import { fillPlural, type PageLanguage, textsFor } from '../texts/index.ts'
import type { ApiRejection } from './call-api.ts'

/** An API error response, or an error code. */
export type PageProblem = string | ApiRejection | undefined

export function problemText(lang: PageLanguage, problem: PageProblem, own: Record<string, string>): string | undefined {
  if (problem === undefined) return undefined
  const { code, error, retryAfter }: ApiRejection = typeof problem === 'string' ? { code: problem } : problem
  const { rejections, errors } = textsFor(lang)
  if (code === 'RATE_LIMITED' && retryAfter !== undefined)
    return fillPlural(lang, errors.limitedFor, Math.ceil(retryAfter / 60))
  if (code === 'REGISTRATION_REFUSED' && hookMessage(error)) return error
  return new Map(Object.entries({ ...rejections, ...own })).get(code) ?? rejections.OTHER
}

/** The registration hook's own message, if any. */
export const hookMessage = (sentence: string | undefined): string | undefined =>
  sentence === sentenceOf('REGISTRATION_REFUSED') ? undefined : sentence

export const codeOf = (problem: PageProblem): string | undefined =>
  typeof problem === 'object' ? problem.code : problem

const aboutCodes = ['INVALID_CODE', 'VALIDATION_ERROR']

/** Whether the problem is the code itself (wrong or malformed) rather than, for example, too many attempts. */
export const isAboutCode = (problem: PageProblem): boolean => aboutCodes.includes(codeOf(problem) ?? '')
