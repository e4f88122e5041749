import { adminTextsFor } from '../../../../ui/console/texts/index.ts'
import type { Field } from '../../../../ui/fields/field.ts'
import type { ApiRejection } from '../../../../ui/shared/call-api.ts'
import { formProblems } from '../../../../ui/shared/form-problems.ts'
import type { PageLanguage } from '../../../../ui/texts/index.ts'
import { type ScopeTerms, scopeField, scopeOptions, type Typed } from '../scope-words.ts'
import { keyTextsFor } from '../texts.ts'

export interface AccountForm {
  typed: Typed
  /** The scopes that the viewer may give. */
  scopes: readonly string[]
  terms: ScopeTerms
  rejection?: ApiRejection | undefined
}

/** The sentence above the form, and its fields. */
export function accountFields(lang: PageLanguage, { typed, scopes, terms, rejection }: AccountForm) {
  const { accounts: texts, optional } = keyTextsFor(lang)
  const { top, fields: problems } = accountProblems(lang, rejection)
  const isOn = (scope: string) => typed[scopeField(scope)] !== undefined
  const off = { autocomplete: 'off' }
  const fields: Field[] = [
    { name: 'name', label: texts.name, required: true, maxlength: 80, ...off, value: typed.name },
    { name: 'description', label: texts.description, note: optional, maxlength: 300, ...off, value: typed.description },
    {
      ...{ name: 'owners', kind: 'textarea', label: texts.owners, hint: texts.ownersHint, rows: 2, maxlength: 800 },
      ...{ required: true, ...off, autocapitalize: 'none', spellcheck: 'false', value: typed.owners },
    },
    {
      name: 'scopes',
      kind: 'checkboxes',
      label: texts.scopes,
      options: scopeOptions(lang, scopes, { ...terms, isOn }),
    },
    {
      ...{ name: 'ends_on', type: 'date', label: texts.endsOn, note: optional, hint: texts.endsOnHint },
      ...{ ...off, value: typed.ends_on },
    },
  ]
  return { top, fields: fields.map((field) => ({ ...field, problem: problems[field.name] })) }
}

export function accountProblems(lang: PageLanguage, rejection: ApiRejection | undefined) {
  const { rejections, accounts } = keyTextsFor(lang)
  const details = rejection?.details?.map((one) => ({ ...one, field: one.field === 'ends_at' ? 'ends_on' : one.field }))
  return formProblems(lang, rejection && { ...rejection, ...(details && { details }) }, {
    fields: ['name', 'description', 'owners', 'scopes', 'ends_on'],
    rejections: { ...adminTextsFor(lang).rejections, ...rejections, ...accounts.rejections },
  })
}
