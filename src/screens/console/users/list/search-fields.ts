import type { UserFilter } from '../../../../context.ts'
import { type AdminTexts, adminTextsFor } from '../../../../ui/console/texts/index.ts'

export const orders = ['newest', 'oldest', 'changed', 'email', 'name', 'role'] as const

type OrderName = (typeof orders)[number]

const orderMembers: Record<OrderName, string> = {
  newest: '-created_at',
  oldest: 'created_at',
  changed: '-updated_at',
  email: 'email',
  name: 'name',
  role: 'user_type',
}

const flags = ['verified', 'blocked', 'deleted'] as const
const days = ['created_from', 'created_to', 'last_seen_from', 'last_seen_to'] as const

/** The query parameters in the page URL, without module filters. */
export const searchNames = ['q', 'role', 'application_role', 'provider', ...flags, ...days, 'sort', 'page'] as const

export type UsersSearch = Readonly<Record<string, string | undefined>>

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text)

/** Returns the API query for this search. Dates are days in UTC, and the last day is included. */
export function apiQuery(search: UsersSearch, filters: readonly UserFilter[]): URLSearchParams {
  const query = new URLSearchParams()
  const set = (name: string, text: string | undefined) => text && query.set(name, text)
  set('q', search.q?.trim())
  set('user_type', search.role)
  set('application_role', search.application_role)
  set('provider', search.provider)
  for (const name of flags) set(name, search[name])
  for (const name of days) {
    const text = search[name]
    if (text && isDay(text)) set(name, name.endsWith('_to') ? dayAfter(text) : `${text}T00:00:00Z`)
  }
  for (const { name } of filters) set(name, search[name])
  return query
}

const dayAfter = (day: string): string => {
  const time = Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(time) ? `${day}T00:00:00Z` : new Date(time + 86_400_000).toISOString()
}

export const orderQuery = (sort: string | undefined): Record<string, string> => ({
  sort: orderMembers[sort as OrderName] ?? orderMembers.newest,
})

/** Returns the names of the filters, without those of the search text and the sort order. */
export const filterNames = (filters: readonly UserFilter[]): string[] => [
  'role',
  'application_role',
  'provider',
  ...flags,
  ...days,
  ...filters.map(({ name }) => name),
]

export interface ChoiceField {
  kind: 'select'
  name: string
  label: string
  value: string
  choices: { value: string; label: string }[]
}

interface Known {
  roles: { value: string; label: string }[]
  applicationRoles: readonly string[]
  providers: readonly string[]
}

/** Returns the form's select fields, including the modules' `userFilters` that have labels. */
export function choiceFields(
  lang: string,
  search: UsersSearch,
  filters: readonly UserFilter[],
  { roles, applicationRoles, providers }: Known,
): ChoiceField[] {
  const { people: texts } = adminTextsFor(lang)
  const field = (
    name: string,
    label: string,
    choices: ChoiceField['choices'],
    unset: string = texts.any,
  ): ChoiceField => ({
    kind: 'select',
    name,
    label,
    value: search[name] ?? '',
    choices: [{ value: '', label: unset }, ...choices],
  })
  const yesNo = (name: 'verified' | 'blocked') => {
    const { label, yes, no } = texts.flags[name]
    return field(name, label, [
      { value: 'true', label: yes },
      { value: 'false', label: no },
    ])
  }
  return [
    field('role', texts.role, roles),
    ...(applicationRoles.length > 0
      ? [field('application_role', texts.applicationRole, namesAsChoices(applicationRoles))]
      : []),
    yesNo('verified'),
    yesNo('blocked'),
    // If this filter is absent, the API lists only users who are not deleted.
    field(
      'deleted',
      texts.flags.deleted.label,
      [{ value: 'true', label: texts.flags.deleted.yes }],
      texts.flags.deleted.no,
    ),
    ...filters.flatMap(({ name, labels }) => {
      const shown = labels?.(lang)
      return shown ? [field(name, shown.label, shown.choices)] : []
    }),
    ...(providers.length > 0 ? [field('provider', texts.provider, namesAsChoices(providers))] : []),
  ]
}

const namesAsChoices = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }))

export const dayFields = (texts: AdminTexts['people'], search: UsersSearch) =>
  days.map((name) => ({ name, label: texts.days[name], value: search[name] ?? '' }))
