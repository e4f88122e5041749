import type { AdminVisit } from './admin-visit.ts'

/** What the API checks before it changes a user. */
export type PersonRight =
  | 'update'
  | 'change_role'
  | 'change_protection'
  | 'delete'
  | 'restore'
  | 'end_sessions'
  | 'block'
  | 'unblock'
  | 'unlock'
  | 'impersonate'
  | 'export'
  | 'send_message'
  | 'start_email_change'
  | 'create'

interface Person {
  id: string
  user_type: string
}

/** The API's own rule. Returns a reason if the API would refuse. */
export type FindRefusal = (
  viewer: Person,
  target: Person,
  right: PersonRight,
  change?: { to?: string },
) => string | undefined

/** Whether the API would allow the visitor to do this, so that pages offer nothing else. */
export type May = (target: Person, right: PersonRight, to?: string) => boolean

export const rightsOf =
  (findRefusal: FindRefusal, { profile }: Pick<AdminVisit, 'profile'>): May =>
  (target, right, to) =>
    findRefusal(profile.user, target, right, to === undefined ? {} : { to }) === undefined
