import type { PageContext } from '../shared/render.ts'
import { fill, textsFor } from '../texts/index.ts'

export const emailInput = (
  page: PageContext,
  more: { value?: string | undefined; problem?: string | undefined } = {},
) => ({
  name: 'email',
  label: textsFor(page.lang).form.email,
  type: 'email',
  maxlength: 254,
  autocomplete: 'username',
  ...more,
})

interface NewPassword {
  /** The input's name. The default is `password`. */
  name?: string
  label?: string
  minPasswordLength: number
  problem?: string | undefined
  /** Additional words that make a password weak, such as the user's name. */
  words?: string[]
}

export const passwordScripts = ['password-strength.js', 'password.js', 'once.js']

export function newPasswordInput(page: PageContext, { name = 'password', words = [], ...more }: NewPassword) {
  const { form, password } = textsFor(page.lang)
  return {
    ...more,
    name,
    label: more.label ?? form.password,
    hint: fill(password.hint, { minimum: more.minPasswordLength }),
    reveal: password,
    // Words that make a password weak. The script adds the email field's value.
    words: [page.appName, new URL(page.publicUrl).hostname, ...words].join('\n'),
    strength: password.strength,
    problems: JSON.stringify({
      ...password.problems,
      short: fill(password.problems.short, { minimum: more.minPasswordLength }),
    }),
  }
}
