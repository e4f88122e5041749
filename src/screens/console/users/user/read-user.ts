import { LockoutsRoute } from '../../../../admin/lockout-schemas.ts'
import { SearchRoute } from '../../../../admin/search-schemas.ts'
import { DetailsRoute } from '../../../../admin/user-details-schemas.ts'
import { ListApplicationRolesRoute, ListUserRolesRoute } from '../../../../roles/grants/schemas.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import type { UserDetails } from '../../../../ui/console/console-part.ts'
import { unlockPath } from '../../../../ui/console/entries.ts'
import { call, type ResponseOf } from '../../../../ui/shared/api-route.ts'

type Details = ResponseOf<typeof DetailsRoute>['data']

/** The API response. For deleted users, who are found only by a search, the optional members are absent. */
export interface ManagedUser extends UserDetails, Partial<Omit<Details, 'user'>> {
  user: Details['user'] & Readonly<Record<string, unknown>>
  /** The application roles that the user was given. */
  grants?: readonly GivenRole[]
  applicationRoles?: readonly ApplicationRoleEntry[]
}

export type GivenRole = ResponseOf<typeof ListUserRolesRoute>['data']['roles'][number]
export type ApplicationRoleEntry = ResponseOf<typeof ListApplicationRolesRoute>['data']['roles'][number]

/** Whether the person has been invited but does not yet have a password or a linked identity to sign in with. */
export const isInvited = ({ user, has_password, identities }: UserDetails): boolean =>
  !user.is_verified && has_password === false && Array.isArray(identities) && identities.length === 0

export interface SignInLock {
  kind: 'locked' | 'throttled'
  until: string
  /** The token of the form that lifts the lock. */
  form: string
}

/** Returns the lock after failed sign-ins, if any. */
export async function readLock(member: AdminVisit, id: string): Promise<SignInLock | undefined> {
  const { lockouts, throttled } = await member.read(call(LockoutsRoute))
  const form = member.sign(unlockPath)
  const locked = lockouts.find(({ user_id }) => user_id === id)
  if (locked) return { kind: 'locked', until: locked.locked_until, form }
  const limited = throttled.find(({ user_id }) => user_id === id)
  return limited && { kind: 'throttled', until: limited.throttled_until, form }
}

export type UserSession = Details['sessions'][number]

export async function readUser(member: AdminVisit, id: string): Promise<ManagedUser> {
  const details = call(DetailsRoute, { params: { user_id: id } })
  const living = await member.api(details)
  if (living.ok) return { ...living.body.data, ...(await readRoles(member, id)) }
  if (living.rejection.code !== 'NOT_FOUND') return member.read(details)
  const { users } = await member.read(call(SearchRoute, { query: { id, deleted: true } }))
  const [user] = users
  return user ? { user } : member.read(details)
}

async function readRoles(member: AdminVisit, id: string): Promise<Pick<ManagedUser, 'grants' | 'applicationRoles'>> {
  const { roles: applicationRoles } = await member.read(call(ListApplicationRolesRoute))
  const { roles: grants } = await member.read(call(ListUserRolesRoute, { params: { user_id: id } }))
  return { grants, applicationRoles }
}
