import type { ActionWords, PersonAction, PersonDetails } from '../../../pages/admin/shared/console-part.ts'
import type { PrivacyDecision } from './history/view.ts'
import { type PrivacyTexts, privacyTextsFor } from './texts.ts'

/** The member that contains the latest decisions in a user's details. */
export const decisionsMember = 'privacy_history'

const words =
  (name: Exclude<keyof PrivacyTexts['admin']['actions'], 'reason'>) =>
  (lang: string): ActionWords =>
    privacyTextsFor(lang).admin.actions[name]

const pathOf = ({ user }: PersonDetails, rest: string): string =>
  `/auth/admin/users/${encodeURIComponent(user.id)}/privacy/${rest}`

const isLiving = ({ user }: PersonDetails): boolean => user.deleted_at === undefined

/** The details contain only the latest decisions. The API checks all decisions. */
function isPending(details: PersonDetails): boolean {
  const decisions = (details[decisionsMember] ?? []) as PrivacyDecision[]
  const [last] = decisions.filter(({ event }) => event === 'deletion_requested' || event === 'deletion_cancelled')
  return last?.event === 'deletion_requested'
}

export const privacyActions: readonly PersonAction[] = [
  {
    name: 'send-data',
    icon: 'download',
    isFor: isLiving,
    words: words('export'),
    call: (details) => ({ method: 'POST', path: pathOf(details, 'export'), body: {} }),
  },
  {
    name: 'schedule-deletion',
    icon: 'clock',
    isDangerous: true,
    isFor: (details) => isLiving(details) && !isPending(details),
    words: words('schedule'),
    fields: [
      { name: 'reason', label: (lang) => privacyTextsFor(lang).admin.actions.reason, maxLength: 500, isOptional: true },
    ],
    undo: 'cancel-deletion',
    call: (details, { reason }) => ({
      method: 'POST',
      path: pathOf(details, 'delete-request'),
      body: reason ? { reason } : {},
    }),
  },
  {
    name: 'cancel-deletion',
    icon: 'undo',
    isFor: (details) => isLiving(details) && isPending(details),
    words: words('cancel'),
    call: (details) => ({ method: 'DELETE', path: pathOf(details, 'delete-request') }),
  },
]
