import { durationInWords } from '../../lib/duration-in-words.ts'
import { second } from '../../lib/time.ts'
import type { PageContext } from '../shared/render.ts'
import { isAboutCode, type Problem } from '../shared/words-for.ts'
import { fill, textsFor } from '../texts/index.ts'

/** What the template `mailed-code-field` shows: where the code of a message is typed, which is valid for `lifetime`. */
export function mailedCodeField(page: PageContext, lifetime: number, problem: Problem) {
  const { code, codeHint } = textsFor(page.lang).loginByMail
  const hint = fill(codeHint, { lifetime: durationInWords(lifetime / second, page.lang) })
  return { label: code, hint, isRefused: isAboutCode(problem) }
}
