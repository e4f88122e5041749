import { offeredMethodNames, signInMethods } from '../../../../applications/sign-in-methods.ts'
import type { Config } from '../../../../config/load.ts'
import type { AdminTexts } from '../../../../ui/console/texts/index.ts'
import type { CheckboxOption } from '../../../../ui/fields/field.ts'
import type { ShownApplication } from '../paths.ts'

/** Each way to sign in has its own box, which is present in the form if it is checked. */
export type TypedMethods = Partial<Record<`method_${string}`, string>>

const fieldFor = (name: string): `method_${string}` => `method_${name}`

export const methodFields = signInMethods.map(fieldFor)

export const typedMethods = (typed: TypedMethods): string[] =>
  signInMethods.filter((name) => typed[fieldFor(name)] !== undefined)

/** The ways that the settings allow, and those that the application already names. */
export function methodOptions(
  texts: AdminTexts['applications'],
  { sign_in_methods: stored }: ShownApplication,
  { config, checked }: { config: Config; checked: readonly string[] },
): CheckboxOption[] {
  const offered = offeredMethodNames(config)
  return signInMethods
    .filter((name) => offered.includes(name) || stored.includes(name) || checked.includes(name))
    .map((name) => ({ option: methodTitle(texts, name), name: fieldFor(name), isOn: checked.includes(name) }))
}

const brands: Readonly<Record<string, string>> = {
  google: 'Google',
  github: 'GitHub',
  facebook: 'Facebook',
  apple: 'Apple',
  discord: 'Discord',
  microsoft: 'Microsoft',
  oidc: 'OpenID Connect',
}

export function methodTitle({ methods }: AdminTexts['applications'], name: string): string {
  const titles: Readonly<Record<string, string>> = { ...brands, ...methods }
  return titles[name] ?? name
}
