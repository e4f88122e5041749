import { durationInWords, second } from '../../lib/time.ts'
import { isAboutCode, type PageProblem } from '../shared/problem-text.ts'
import type { PageContext } from '../shared/render.ts'
import { fill, textsFor } from '../texts/index.ts'
import type { Field } from './field.ts'

/** `lifetime` is in milliseconds. */
export function mailedCodeInput(page: PageContext, lifetime: number, problem: PageProblem): Field {
  const { code, codeHint } = textsFor(page.lang).loginByMail
  const hint = fill(codeHint, { lifetime: durationInWords(lifetime / second, page.lang) })
  return { ...codeInput, label: code, hint, isRejected: isAboutCode(problem) }
}

export const codeInput = {
  name: 'code',
  class: 'code',
  required: true,
  maxlength: 16,
  inputmode: 'numeric',
  autocomplete: 'one-time-code',
} as const

/** Removes the spaces and hyphens with which codes are displayed, and converts the code to lower case. */
export const typedCode = (input = ''): string => input.replaceAll(/[\s-]/g, '').toLowerCase()

/** The link is shown only if the service delivers messages to the development inbox. */
export const inboxLink = ({ inbox = false, lang }: PageContext) => ({ inbox, label: textsFor(lang).home.inbox })
