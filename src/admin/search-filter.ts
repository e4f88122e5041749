import type { Context } from '../context.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { looksLikeId } from '../lib/ids.ts'
import { timeField } from '../lib/time-field.ts'
import type { ProviderName } from '../social/provider.ts'
import { isBlocked } from '../users/block-queries.ts'
import { findApplicationRole } from '../users/role-queries.ts'
import {
  hasExternalId,
  hasIdIn,
  hasPhone,
  hasRole,
  isLinkedTo,
  isVerified,
  not,
  type SearchCondition,
  type TimeRange,
  wasCreated,
  wasLastSeen,
} from './search-condition-queries.ts'
import { type SearchFilter, textColumns } from './search-queries.ts'

export interface UserFilters {
  q?: string
  email?: string
  name?: string
  user_name?: string
  phone?: string
  user_type?: string
  application_role?: string
  id?: string
  external_id?: string
  verified?: boolean
  blocked?: boolean
  deleted?: boolean
  provider?: ProviderName
  created_from?: string
  created_to?: string
  last_seen_from?: string
  last_seen_to?: string
}

export const readFilter = async (ctx: Context, input: UserFilters): Promise<SearchFilter> => ({
  deleted: input.deleted === true,
  texts: textsOf(input),
  userType: input.user_type,
  indexed: indexedConditions(input),
  conditions: [
    ...coreConditions(ctx, input),
    ...moduleConditions(ctx, input),
    ...(await roleCondition(ctx, input.application_role)),
  ],
})

/** Every user has a default role. */
async function roleCondition({ db, clock }: Context, name: string | undefined): Promise<SearchCondition[]> {
  if (name === undefined) return []
  const [application = '', role = ''] = name.split(':', 2)
  const found = await findApplicationRole(db, application, role)
  if (!found) throw invalidField('application_role', 'is not a role of an application')
  return found.is_default ? [] : [hasRole(found.id, clock.date())]
}

/** Text is matched literally, without wildcards. */
function textsOf(input: UserFilters): SearchFilter['texts'] {
  const parts = [
    { part: input.q, in: 'any' as const },
    ...textColumns.map((column) => ({ part: input[column], in: column })),
  ]
  return parts.flatMap(({ part, in: column }) => (part ? [{ part: part.normalize('NFC'), in: column }] : []))
}

/** Phone numbers are stored in international format without separators. */
function digitsOf(phone: string): string {
  const digits = phone.replaceAll(/[\s()./-]/g, '')
  if (!/^\+?\d+$/.test(digits))
    throw invalidField('phone', 'must be the beginning or the end of a phone number, such as +44 7700 or 900123')
  return digits
}

const maxIds = 100

function idsOf(text: string): string[] {
  const ids = text.split(',')
  if (ids.length > maxIds || !ids.every(looksLikeId))
    throw invalidField('id', `must be the id of a user, or up to ${maxIds} ids separated by commas`)
  return ids
}

function coreConditions({ clock }: Context, input: UserFilters): SearchCondition[] {
  const { id, external_id, phone, blocked, provider } = input
  const inForce = isBlocked(clock.date())
  return [
    ...(id === undefined ? [] : [hasIdIn(idsOf(id))]),
    ...(external_id ? [hasExternalId(external_id)] : []),
    ...(phone ? [hasPhone(digitsOf(phone))] : []),
    ...(blocked === undefined ? [] : [blocked ? inForce : not(inForce)]),
    ...(provider === undefined ? [] : [isLinkedTo(provider)]),
    ...wasLastSeen(rangeOf(input, 'last_seen')),
  ]
}

const indexedConditions = (input: UserFilters): SearchCondition[] => [
  ...(input.verified === undefined ? [] : [isVerified(input.verified)]),
  ...wasCreated(rangeOf(input, 'created')),
]

function rangeOf(input: UserFilters, name: 'created' | 'last_seen'): TimeRange {
  const from = timeField(`${name}_from`, input[`${name}_from`])
  const to = timeField(`${name}_to`, input[`${name}_to`])
  if (from && to && to <= from) throw invalidField(`${name}_to`, `must be later than ${name}_from`)
  return { from, to }
}

/**
 * Filters from modules that are not installed are rejected, because ignoring such a filter would list users that do not
 * match it.
 */
function moduleConditions({ modules }: Context, input: UserFilters): SearchCondition[] {
  const requested: Readonly<Record<string, unknown>> = { ...input }
  const installed = modules.userFilters()
  return modules.declaredFilters().flatMap(({ name }) => {
    const value = requested[name]
    if (value === undefined) return []
    const filter = installed.find((known) => known.name === name)
    if (!filter) throw new AppError('module_not_installed', { status: 400 })
    return [filter.condition(value)]
  })
}
