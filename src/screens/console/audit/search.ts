import { SearchRoute } from '../../../admin/search-schemas.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import type { AdminVisit } from '../../../ui/console/admin-visit.ts'
import { call } from '../../../ui/shared/api-route.ts'

export const auditPath = '/admin/audit'
export const auditExportPath = `${auditPath}/export`

/** The API parameters for the page's query parameters that identify a user. */
const userFilters = { person: 'user_id', actor: 'actor_id', target: 'target_id' } as const
export const usersFields = ['person', 'actor', 'target'] as const
export const timeFields = ['from', 'to'] as const

export const auditSearchNames = ['event', 'outcome', ...usersFields, ...timeFields, 'page'] as const

export type AuditSearch = Readonly<Partial<Record<(typeof auditSearchNames)[number], string>>>

/** Returns the API query for this search. Undefined if a field contains an unknown user. */
export async function auditQuery(member: AdminVisit, search: AuditSearch): Promise<URLSearchParams | undefined> {
  const query = new URLSearchParams()
  for (const name of ['event', 'outcome'] as const) if (search[name]) query.set(name, search[name])
  for (const name of timeFields) if (search[name]) query.set(`time_${name}`, inUtc(search[name]))
  for (const name of usersFields) {
    const text = search[name]?.trim()
    if (!text) continue
    const id = looksLikeId(text) ? text : await findUserId(member, text)
    if (id === undefined) return undefined
    query.set(userFilters[name], id)
  }
  return query
}

/** Forms send times without a time zone, which are interpreted as UTC. */
const inUtc = (text: string): string => {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) ? `${text}:00Z` : text
}

/** Finds a user by complete email address or user name, or by text that matches only one user. */
async function findUserId(member: AdminVisit, text: string): Promise<string | undefined> {
  const query = new URLSearchParams({ q: text.slice(0, 100), limit: '100', count_limit: '100' })
  const { users } = await member.read(call(SearchRoute, { query }))
  const wanted = text.toLowerCase()
  const same = users.find(({ email, user_name: name }) => email === wanted || name.toLowerCase() === wanted)
  return same?.id ?? (users.length === 1 ? users[0]?.id : undefined)
}
