import type { AdminTexts } from '../../../../ui/console/texts/index.ts'
import { linesOf } from '../lines-of.ts'
import type { ShownApplication } from '../paths.ts'
import { methodTitle, type TypedMethods, typedMethods } from './rule-fields.ts'

/** The values of the form. */
export interface TypedChanges extends TypedMethods {
  name?: string
  kind?: string
  /** One per line. */
  return_addresses?: string
  origins?: string
  /** Present if the box is checked. */
  development?: string
  home_url?: string
  sign_out_url?: string
  /** Present if the box is checked. */
  existing_only?: string
  note?: string
  expected_updated_at?: string
}

/** The members that the API changes. */
export const applicationChanges = ({ name, kind, note, expected_updated_at, ...typed }: TypedChanges) => ({
  expected_updated_at,
  name,
  kind,
  note,
  return_addresses: linesOf(typed.return_addresses),
  origins: linesOf(typed.origins),
  development: typed.development !== undefined,
  home_url: typed.home_url?.trim() || null,
  sign_out_url: typed.sign_out_url?.trim() || null,
  sign_in_methods: typedMethods(typed),
  registration: typed.existing_only === undefined,
})

export const textsOfApplication = (application: ShownApplication) => ({
  name: application.name,
  kind: application.kind as string,
  return_addresses: application.return_addresses.join('\n'),
  origins: application.origins.join('\n'),
  development: application.development ? 'on' : undefined,
  home_url: application.home_url ?? '',
  sign_out_url: application.sign_out_url ?? '',
  sign_in_methods: application.sign_in_methods.join('\n'),
  existing_only: application.registration ? undefined : 'on',
  note: application.note,
})

export type FormTexts = ReturnType<typeof textsOfApplication>

export const formTextsOf = (typed: TypedChanges): FormTexts => ({
  name: typed.name ?? '',
  kind: typed.kind ?? '',
  return_addresses: linesOf(typed.return_addresses).join('\n'),
  origins: linesOf(typed.origins).join('\n'),
  development: typed.development === undefined ? undefined : 'on',
  home_url: typed.home_url ?? '',
  sign_out_url: typed.sign_out_url ?? '',
  sign_in_methods: typedMethods(typed).join('\n'),
  existing_only: typed.existing_only === undefined ? undefined : 'on',
  note: typed.note ?? '',
})

/** After a conflict: what another administrator has saved where it differs from what was typed. */
export function savedMeanwhile(
  texts: AdminTexts['applications'],
  typed: FormTexts,
  stored: FormTexts,
): Partial<Record<keyof FormTexts, string>> {
  const kinds: Readonly<Record<string, string>> = texts.kinds
  const methods = linesOf(stored.sign_in_methods).map((name) => methodTitle(texts, name))
  const shown = (name: keyof FormTexts): string => {
    if (name === 'sign_in_methods') return methods.join(', ') || texts.emptyValue
    return (name === 'kind' ? kinds[stored.kind] : stored[name]?.replaceAll('\n', ', ')) || texts.emptyValue
  }
  const differing = (Object.keys(stored) as (keyof FormTexts)[]).filter((name) => stored[name] !== typed[name])
  return Object.fromEntries(differing.map((name) => [name, shown(name)]))
}
