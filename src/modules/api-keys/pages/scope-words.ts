import { ListPermissionsRoute } from '../../../roles/declaration/permission-schemas.ts'
import type { AdminVisit } from '../../../ui/console/admin-visit.ts'
import { permissionWords, type RolesInWords } from '../../../ui/console/roles.ts'
import type { CheckboxOption } from '../../../ui/fields/field.ts'
import { call, type ResponseOf } from '../../../ui/shared/api-route.ts'
import { type KeyTexts, keyTextsFor } from './texts.ts'

type DeclaredScope = Pick<
  ResponseOf<typeof ListPermissionsRoute>['data']['permissions'][number],
  'key' | 'title' | 'description'
>

/** What scopes mean: those of this service, and the permissions that applications have declared. */
export interface ScopeTerms {
  roles: RolesInWords
  declared?: readonly DeclaredScope[] | undefined
}

interface ScopeInWords {
  /** The scope itself, if there are no words for it. */
  words: string
  scope: string
  description?: string | undefined
}

/** None if the visitor may not see them. */
export async function readDeclaredScopes(member: AdminVisit, application?: string): Promise<DeclaredScope[]> {
  if (!member.can('applications:read')) return []
  const query = application === undefined ? {} : { application }
  return (await member.read(call(ListPermissionsRoute, { query }))).permissions
}

export function scopesInWords(lang: string, scopes: readonly string[], terms: ScopeTerms): ScopeInWords[] {
  const declared = new Map(terms.declared?.map((one) => [one.key, one]))
  return scopes.map((scope) => {
    const { title = {}, description = {} } = declared.get(scope) ?? {}
    return {
      words: textFor(lang, title) || ownWords(lang, scope, terms.roles),
      scope,
      description: textFor(lang, description),
    }
  })
}

/** In one line. */
export const scopeList = (lang: string, scopes: readonly string[], terms: ScopeTerms): string =>
  scopesInWords(lang, scopes, terms)
    .map(({ words }) => words)
    .join(', ')

const textFor = (lang: string, texts: Readonly<Record<string, string>>): string | undefined => texts[lang] || texts.en

function ownWords(lang: string, scope: string, roles: RolesInWords): string {
  const { scopeWords: own } = keyTextsFor(lang)
  if (Object.hasOwn(own, scope)) return own[scope as keyof KeyTexts['scopeWords']]
  if (!scope.startsWith('wardenry:')) return scope
  const words = permissionWords(lang, scope.replace(/^wardenry:/, ''), roles)
  return words.replace(/^./u, (letter) => letter.toUpperCase())
}

/** The name of the checkbox for a scope. */
export const scopeField = (scope: string): string => `scope_${scope}`

export type Typed = Readonly<Record<string, string | undefined>>

export const scopesOf = (typed: Typed): string[] =>
  Object.keys(typed).flatMap((name) => (name.startsWith('scope_') ? [name.slice('scope_'.length)] : []))

/** A checkbox for each scope. */
export const scopeOptions = (
  lang: string,
  scopes: readonly string[],
  { isOn, ...terms }: ScopeTerms & { isOn(scope: string): boolean },
): CheckboxOption[] =>
  scopesInWords(lang, scopes, terms).map(({ words, scope, description }) => ({
    ...{ option: words, name: scopeField(scope), isOn: isOn(scope), hint: description },
    ...(words !== scope && { code: scope }),
  }))
