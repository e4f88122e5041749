import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import type { PersonDetails } from '../../../../ui/console/console-part.ts'
import { unlockPath } from '../../../../ui/console/entries.ts'
import type { ShownLocks } from '../../security/view.ts'
import type { ListedUser } from '../shared.ts'

/** The API response. For deleted users, who are found only by a search, the optional members are absent. */
export interface Person extends PersonDetails {
  user: ListedUser & Readonly<Record<string, unknown>>
  sessions?: PersonSession[]
  sessionCount?: number
  has_password?: boolean
  identities?: { provider: string; email: string; linked_at: string; last_used_at: string }[]
  profile?: { display_name: string | null; lang: string; tmz: string | null; metadata: Record<string, unknown> }
}

/** Whether the person has been invited but does not yet have a password or a linked identity to sign in with. */
export const isInvited = ({ user, has_password, identities }: PersonDetails): boolean =>
  !user.is_verified && has_password === false && Array.isArray(identities) && identities.length === 0

export interface SignInLock {
  kind: 'locked' | 'throttled'
  until: string
  /** The token of the form that lifts the lock. */
  form: string
}

/** Returns the lock after failed sign-ins, if any. */
export async function readLock(member: AdminVisit, id: string): Promise<SignInLock | undefined> {
  const { lockouts, throttled } = await member.read<ShownLocks>('/auth/admin/lockouts')
  const form = member.sign(unlockPath)
  const locked = lockouts.find(({ user_id }) => user_id === id)
  if (locked) return { kind: 'locked', until: locked.locked_until, form }
  const limited = throttled.find(({ user_id }) => user_id === id)
  return limited && { kind: 'throttled', until: limited.throttled_until, form }
}

export interface PersonSession {
  id: string
  ipAddress: string
  userAgent: string
  userDevice: string
  application: string | null
  lastUsedAt: string
  createdAt: string
  status: string
}

export async function readPerson(member: AdminVisit, id: string): Promise<Person> {
  const path = `/auth/admin/users/${encodeURIComponent(id)}`
  const living = await member.api<{ data: Person }>({ method: 'GET', path })
  if (living.ok) return living.body.data
  if (living.refusal.code !== 'NOT_FOUND') return member.read<Person>(path)
  const query = new URLSearchParams({ id, deleted: 'true' })
  const { users } = await member.read<{ users: Person['user'][] }>(`/auth/users?${query}`)
  const [user] = users
  return user ? { user } : member.read<Person>(path)
}
