import { type AdminAction, denialReason } from '../../../http/access/permissions.ts'
import type { AdminVisit } from '../../../ui/console/admin-visit.ts'

/** Whether the API would allow the visitor to do this, so that pages offer nothing else. */
export type May = (target: { id: string; user_type: string }, action: AdminAction, to?: string) => boolean

export const rightsOf =
  ({ profile }: Pick<AdminVisit, 'profile'>): May =>
  (target, action, to) =>
    denialReason(profile.user, target, action, to === undefined ? {} : { to }) === undefined
