import { isLocal } from '../../../../applications/application-set.ts'
import { isWeb } from '../../../../lib/return-address.ts'
import { keyFromName } from '../../shared/key-from-name.ts'
import { type Recipe, recipeNamed } from '../recipes.ts'

export interface TypedApplication {
  with?: string
  name?: string
  address?: string
  key?: string
}

/** Why the form was not sent to the API, by field. The texts contain a sentence for each value. */
export type EntryProblems = Partial<Record<'with' | 'address', 'choose' | 'origin' | 'scheme' | 'webAddress'>>

/** Returns the body of the API call, or the problems that only this form knows. */
export function readEntries(typed: TypedApplication) {
  const recipe = recipeNamed(typed.with)
  if (!recipe) return { problems: { with: 'choose' } satisfies EntryProblems }
  const address = completeAddress(typed.address ?? '', recipe)
  const url = URL.parse(address)
  const problem = addressProblem(recipe, url)
  if (problem) return { problems: { address: problem } satisfies EntryProblems }
  const name = (typed.name ?? '').trim()
  const body = {
    key: typed.key?.trim() || proposedKey(name, url),
    name,
    kind: recipe.kind,
    return_addresses: [address],
    ...(recipe.kind === 'single_page' && { origins: [address] }),
    ...(url && isLocal(url) && { development: true }),
  }
  return { recipe, body }
}

/** People enter host names without `https://`, and copy addresses with a slash at the end. */
function completeAddress(entered: string, { address }: Recipe): string {
  const text = entered.trim()
  if (address === 'scheme') return text
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
  const whole = hasScheme || text === '' ? text : `${isLoopbackName(text) ? 'http' : 'https'}://${text}`
  const url = URL.parse(whole)
  return url && isWeb(url.protocol) && whole.toLowerCase() === `${url.origin}/` ? url.origin : whole
}

const isLoopbackName = (text: string): boolean => /^(localhost|127\.0\.0\.1)(?=[:/]|$)/i.test(text)

/** Whether the address is well-formed and free is checked by the API. */
function addressProblem({ address }: Recipe, url: URL | null): EntryProblems['address'] {
  if (address === 'scheme') return !url || isWeb(url.protocol) ? 'scheme' : undefined
  if (!url || !isWeb(url.protocol)) return 'webAddress'
  return address === 'origin' && url.href !== `${url.origin}/` ? 'origin' : undefined
}

/** The name in lowercase letters, digits and hyphens. Names in other scripts have none of these. */
export function proposedKey(name: string, url: URL | null): string {
  const words = [name, url?.hostname ?? '', 'application'].map(keyFromName)
  return words.find((word) => word.length >= 2) ?? 'application'
}
