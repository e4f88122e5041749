import type { Address, ApplicationRow } from './queries.ts'
import { listNames, type ReadInput } from './read-input.ts'

type Column =
  | 'accent'
  | 'accepts'
  | 'gateway_accept'
  | 'gateway_permission'
  | 'gateway_resource'
  | 'gateway_scope'
  | 'home_url'
  | 'is_development'
  | 'is_enabled'
  | 'kind'
  | 'logo'
  | 'name'
  | 'note'
  | 'privacy_url'
  | 'registration'
  | 'sign_in_methods'
  | 'sign_out_url'
  | 'terms_url'
type Columns = Partial<Pick<ApplicationRow, Column>>

export interface Differences {
  /** The columns that change. */
  columns: Columns
  /** All addresses after the change. */
  addresses: Address[]
  /** Whether they differ from the present ones, if only in their order. */
  hasOtherAddresses: boolean
  /** The members that change, named as in the API. */
  changed: string[]
  /** The old and new values of all changed members except lists. */
  changes: Record<string, { from: unknown; to: unknown }>
  added: Address[]
  removed: Address[]
}

/** Finds the changes that the input makes. Members that it does not contain stay as they are. */
export function differencesOf(
  application: ApplicationRow,
  { key: _key, logoBytes: _bytes, return: returns, origin, ...given }: ReadInput & { is_enabled?: boolean | undefined },
): Differences {
  const addresses = addressesIn({ return: returns, origin }, application.addresses)
  const differing = (Object.entries(given) as [Column, unknown][]).filter(
    ([name, value]) => value !== undefined && !isSame(value, application[name]),
  )
  const changes = differing.map(([name, to]) => [memberOf(name), { from: application[name], to }] as const)
  const lists = (['return', 'origin'] as const).filter(
    (kind) => textsOf(addresses, kind).join('\n') !== textsOf(application.addresses, kind).join('\n'),
  )
  return {
    columns: Object.fromEntries(differing),
    addresses,
    hasOtherAddresses: lists.length > 0,
    changed: [...changes.map(([name]) => name), ...lists.map((kind) => listNames[kind])],
    changes: Object.fromEntries(changes),
    added: without(addresses, application.addresses),
    removed: without(application.addresses, addresses),
  }
}

/** Without new addresses of a kind, the present ones stay. */
export const addressesIn = (
  given: { [Kind in Address['kind']]: string[] | undefined },
  present: readonly Address[] = [],
): Address[] =>
  (['return', 'origin'] as const).flatMap(
    (kind) => given[kind]?.map((address) => ({ kind, address })) ?? present.filter((one) => one.kind === kind),
  )

export const textsOf = (addresses: readonly Address[], ofKind?: Address['kind']): string[] =>
  addresses.filter(({ kind }) => ofKind === undefined || kind === ofKind).map(({ address }) => address)

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

const memberOf = (column: Column): string => column.replace(/^is_/, '')

const without = (list: readonly Address[], others: readonly Address[]): Address[] =>
  list.filter(({ kind, address }) => !others.some((one) => one.kind === kind && one.address === address))
