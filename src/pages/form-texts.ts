import { type PageLanguage, textsFor } from './texts/index.ts'

interface OwnWords {
  sending: string
  /** For refusals by their code. */
  [code: string]: string
}

/** What the script of a form is told: words for its states, for fields that are not filled, and for refusals. */
export function formSettings(lang: PageLanguage, minPasswordLength: number, { sending, ...refusals }: OwnWords) {
  const { form } = textsFor(lang)
  const { problems } = form
  return {
    sending,
    show: [form.show, form.showPassword],
    hide: [form.hide, form.hidePassword],
    problems: { email: problems.email, password: problems.password(minPasswordLength) },
    refusals: {
      email: problems.email,
      password: problems.weak,
      fields: problems.fields,
      offline: problems.offline,
      RATE_LIMITED: problems.limited,
      ...refusals,
    },
  }
}

/** Labels and hints of the fields themselves. */
export function fieldTexts(lang: PageLanguage, minPasswordLength: number) {
  const { form } = textsFor(lang)
  return { ...form, passwordHint: form.passwordHint(minPasswordLength) }
}
