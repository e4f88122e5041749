import type { PageContext } from '../shared/render.ts'
import { fill, textsFor } from '../texts/index.ts'

interface NewPassword {
  /** Of the input; `password` when absent. */
  name?: string
  label?: string
  minPasswordLength: number
  problem?: string | undefined
  /** What else is too easy to guess: whose password it is. */
  words?: string[]
}

/** Scripts of a page with a field for a password. Without them it is a plain field. */
export const passwordScripts = ['password-strength.js', 'password.js', 'once.js']

/** What the template `password-field` shows: a password to be chosen, which can be made visible and is judged. */
export function newPasswordField(page: PageContext, { name = 'password', words = [], ...more }: NewPassword) {
  const { form, password } = textsFor(page.lang)
  return {
    ...more,
    name,
    label: more.label ?? form.password,
    hint: fill(password.hint, { minimum: more.minPasswordLength }),
    reveal: password,
    // Too easy to guess here; the script adds what stands in the form's field for the address.
    words: [page.appName, new URL(page.publicUrl).hostname, ...words].join('\n'),
    strength: password.strength,
    problems: JSON.stringify({
      ...password.problems,
      short: fill(password.problems.short, { minimum: more.minPasswordLength }),
    }),
  }
}
