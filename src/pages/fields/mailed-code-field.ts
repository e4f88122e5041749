import { durationInWords, second } from '../../lib/time.ts'
import { isAboutCode, type PageProblem } from '../shared/problem-text.ts'
import type { PageContext } from '../shared/render.ts'
import { fill, textsFor } from '../texts/index.ts'

/** Data of the template `mailed-code-field`. `lifetime` in milliseconds. */
export function mailedCodeInput(page: PageContext, lifetime: number, problem: PageProblem) {
  const { code, codeHint } = textsFor(page.lang).loginByMail
  const hint = fill(codeHint, { lifetime: durationInWords(lifetime / second, page.lang) })
  return { label: code, hint, isRefused: isAboutCode(problem) }
}

/** Removes spaces and hyphens, which authenticator apps display, and ignores case. */
export const typedCode = (input = ''): string => input.replaceAll(/[\s-]/g, '').toLowerCase()
