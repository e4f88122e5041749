import type { Field } from '../../../../ui/fields/field.ts'
import type { PageLanguage } from '../../../../ui/texts/index.ts'
import { type ScopeTerms, scopeField, scopeOptions } from '../../../api-keys/pages/scope-words.ts'
import { resourceField, type TypedValues } from '../form-values.ts'
import type { ShownClient, ShownResource } from '../paths.ts'
import { oauthTextsFor } from '../texts.ts'

export interface ClientFields {
  type: ShownClient['type']
  typed: TypedValues
  /** The scopes to offer. */
  scopes: readonly string[]
  /** The APIs to offer. */
  resources: readonly ShownResource[]
  terms: ScopeTerms
  problems: Readonly<Record<string, string>>
  /** The types of users to offer. Only for clients that sign users in, as the next member. */
  userTypes?: readonly string[]
  /** The permissions of the client's application. */
  permissions?: readonly string[]
}

export interface FormParts {
  main: Field[]
  /** Behind a heading that opens them. */
  more: Field[]
}

/** The fields of programs that can be changed later, except for the service account. */
export function clientFields(lang: PageLanguage, { type, typed, scopes, resources, ...more }: ClientFields): Field[] {
  const texts = oauthTextsFor(lang)
  const { clients: own, optional } = texts
  const isMachine = type === 'machine'
  const off = { autocomplete: 'off' }
  const fields: (Field | false)[] = [
    {
      ...{ name: 'name', label: own.name, note: optional, hint: own.nameHint, maxlength: 80 },
      ...{ ...off, value: typed.name },
    },
    isMachine &&
      scopes.length > 0 && {
        ...{ name: 'scopes', kind: 'checkboxes', label: own.scopes },
        options: scopeOptions(lang, scopes, {
          ...more.terms,
          isOn: (scope) => typed[scopeField(scope)] !== undefined,
        }),
      },
    resources.length > 0 && {
      ...{ name: 'resources', kind: 'checkboxes', label: isMachine ? own.resources : own.served },
      options: resources.map((one) => ({
        option: resourceLabel(one),
        name: resourceField(one.id),
        isOn: typed[resourceField(one.id)] !== undefined,
      })),
    },
    isMachine &&
      resources.length > 1 && {
        ...{ name: 'first', kind: 'select', label: own.first, hint: own.firstHint, value: typed.first },
        choices: [
          { value: '', label: own.noFirst },
          ...resources.map((one) => ({ value: one.id, label: shortLabel(one, resources) })),
        ],
      },
    isMachine && {
      ...{ name: 'access_ttl', label: own.lifetime, note: optional, hint: own.lifetimeHint, inputmode: 'numeric' },
      ...{ maxlength: 6, ...off, value: typed.access_ttl },
    },
  ]
  return fields.flatMap((field) => (field ? [{ ...field, problem: more.problems[field.name] }] : []))
}

export const resourceLabel = ({ name, identifier }: ShownResource): string =>
  name === identifier ? identifier : `${name} (${identifier})`

/** For select boxes, which are narrow on phones. */
export const shortLabel = (one: ShownResource, among: readonly ShownResource[]): string =>
  among.some(({ id, name }) => id !== one.id && name === one.name) ? resourceLabel(one) : one.name

/** Those that a client of the type can have: a resource server only those of its application. */
export const resourcesFor = (
  { type, applicationId, has = [] }: { type: ShownClient['type']; applicationId: string; has?: readonly string[] },
  resources: readonly ShownResource[],
): ShownResource[] =>
  resources.filter(
    ({ id, application }) => type !== 'resource_server' || application.id === applicationId || has.includes(id),
  )

/**
 * The scopes to offer for a client that signs users in: those of OpenID Connect, those of the APIs that the visitor may give,
 * and those that the client has.
 */
export const userScopesFor = (
  offered: readonly string[],
  {
    resources,
    givable,
    has = [],
  }: {
    resources: readonly ShownResource[]
    givable: readonly string[]
    has?: readonly string[]
  },
): string[] => {
  const ofApis = resources.flatMap(({ scopes }) => scopes).filter((scope) => givable.includes(scope))
  return [...new Set([...offered, ...[...ofApis, ...has].toSorted()])]
}
