import type { Field } from '../../../../ui/fields/field.ts'
import { fill, type PageLanguage } from '../../../../ui/texts/index.ts'
import { signingAlgs, tokenFormats } from '../../rows.ts'
import { lifetimeIn, type TypedValues } from '../form-values.ts'
import { oauthTextsFor } from '../texts.ts'

/** The settings that apply to APIs without a value of their own. */
export interface TokenDefaults {
  alg: string
  /** In seconds. */
  lifetime: number
}

export function resourceFields(
  lang: PageLanguage,
  { typed, defaults, problems }: { typed: TypedValues; defaults: TokenDefaults; problems: Record<string, string> },
): Field[] {
  const { resources: texts, optional: note } = oauthTextsFor(lang)
  const off = { autocomplete: 'off' }
  const address = { ...off, autocapitalize: 'none', spellcheck: 'false' } as const
  const fields: Field[] = [
    {
      ...{ name: 'identifier', label: texts.identifier, hint: texts.identifierHint, required: true, maxlength: 500 },
      ...{ ...address, value: typed.identifier },
    },
    { name: 'name', label: texts.name, note, hint: texts.nameHint, maxlength: 80, ...off, value: typed.name },
    {
      ...{
        name: 'token_format',
        kind: 'select',
        label: texts.format,
        hint: texts.formatHint,
        value: typed.token_format,
      },
      choices: tokenFormats.map((value) => ({ value, label: texts.formats[value] })),
    },
    {
      ...{ name: 'alg', kind: 'select', label: texts.alg, hint: texts.algHint, value: typed.alg },
      choices: [
        { value: '', label: fill(texts.algDefault, { alg: defaults.alg }) },
        ...signingAlgs.map((value) => ({ value, label: value })),
      ],
    },
    {
      ...{
        name: 'access_ttl',
        label: texts.lifetime,
        note,
        hint: fill(texts.lifetimeHint, { count: defaults.lifetime }),
      },
      ...{ inputmode: 'numeric', maxlength: 6, ...off, value: typed.access_ttl },
    },
    {
      ...{ name: 'aliases', kind: 'textarea', label: texts.aliases, note, hint: texts.aliasesHint, rows: 2 },
      ...{ maxlength: 5100, ...address, value: typed.aliases },
    },
  ]
  return fields.map((field) => ({ ...field, problem: problems[field.name] }))
}

export const resourceFieldNames = [
  ...['application_id', 'identifier', 'name', 'token_format', 'alg', 'access_ttl', 'aliases', 'expected_updated_at'],
]

/** The body for the API, which validates the values. */
export const resourceInput = (typed: TypedValues) => ({
  identifier: typed.identifier?.trim() ?? '',
  name: typed.name?.trim() || (typed.identifier?.trim() ?? '').slice(0, 80),
  aliases: (typed.aliases ?? '').split(/\s+/).filter((one) => one !== ''),
  token_format: typed.token_format,
  alg: typed.alg || null,
  access_ttl: lifetimeIn(typed.access_ttl),
})
