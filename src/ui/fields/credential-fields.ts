import type { PageContext } from '../shared/render.ts'
import { fill, textsFor } from '../texts/index.ts'
import type { Field } from './field.ts'

export const emailInput = (
  page: PageContext,
  more: { value?: string | undefined; problem?: string | undefined } = {},
): Field => ({
  name: 'email',
  label: textsFor(page.lang).form.email,
  type: 'email',
  required: true,
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

export const passwordScripts = ['password.js', 'once.js']

export function newPasswordInput(
  page: PageContext,
  { name = 'password', words = [], minPasswordLength, ...more }: NewPassword,
): Field {
  const { form, password } = textsFor(page.lang)
  const values = { minimum: minPasswordLength }
  return {
    name,
    type: 'password',
    label: more.label ?? form.password,
    required: true,
    minlength: minPasswordLength,
    autocomplete: 'new-password',
    problem: more.problem,
    hint: fill(password.hint, values),
    meter: {
      reveal: password,
      strength: password.strength,
      minPasswordLength,
      // The script adds the email field's value.
      words: [page.appName, new URL(page.publicUrl).hostname, ...words].join('\n'),
      problems: JSON.stringify({ ...password.problems, short: fill(password.problems.short, values) }),
    },
  }
}
