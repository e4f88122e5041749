import type { ActionWords, UserDetails } from '../../../../../ui/console/console-part.ts'
import { type AdminTexts, adminTextsFor } from '../../../../../ui/console/texts/index.ts'
import { isInvited } from '../read-user.ts'

export type ActionName = keyof AdminTexts['actions']['words']

export const words =
  (name: ActionName) =>
  (lang: string): ActionWords =>
    adminTextsFor(lang).actions.words[name]

export const label = (name: keyof AdminTexts['actions']['fields']) => (lang: string) =>
  adminTextsFor(lang).actions.fields[name]

export const ofUser = ({ user }: UserDetails) => ({ user_id: user.id })

export const isLiving = ({ user }: UserDetails): boolean => user.deleted_at === undefined
/** Blocked users cannot use a session, or a link that starts one. */
export const isUnblocked = (details: UserDetails): boolean => isLiving(details) && !details.user.blocked
export const hasJoined = (details: UserDetails): boolean => isLiving(details) && !isInvited(details)
export const isUnverified = (details: UserDetails): boolean => isLiving(details) && !details.user.is_verified
