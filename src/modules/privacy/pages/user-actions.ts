import { durationInWords, second } from '../../../lib/time.ts'
import { onDay } from '../../../ui/account/when.ts'
import type { ActionSettings, ActionWords, UserAction, UserDetails } from '../../../ui/console/console-part.ts'
import { call } from '../../../ui/shared/api-route.ts'
import { fill, type PageLanguage } from '../../../ui/texts/index.ts'
import { CancelByAdminRoute, DeletionByAdminRoute } from '../deletion-schemas.ts'
import { ExportByAdminRoute } from '../export-schemas.ts'
import { type PrivacyTexts, privacyTextsFor } from './texts.ts'

/** The member of a user's details that contains the latest decisions. */
export const decisionsMember = 'privacy_history'

/** The member of a user's details whose value is the pending deletion or null. */
export const deletionMember = 'pending_deletion'

const words =
  (name: Exclude<keyof PrivacyTexts['admin']['actions'], 'reason'>) =>
  (lang: string): ActionWords =>
    privacyTextsFor(lang).admin.actions[name]

const ofUser = ({ user }: UserDetails) => ({ user_id: user.id })

const isLiving = ({ user }: UserDetails): boolean => user.deleted_at === undefined

/** Returns the user's pending deletion. */
export const deletionOf = (details: UserDetails): { requested_at: string; scheduled_for: string } | undefined =>
  (details[deletionMember] ?? undefined) as ReturnType<typeof deletionOf>

const isPending = (details: UserDetails): boolean => deletionOf(details) !== undefined

function scheduleText(lang: string, { config, now, timeZone }: ActionSettings): string {
  const { schedule } = privacyTextsFor(lang).admin.actions
  const grace = config.PRIVACY_DELETION_GRACE
  if (grace === 0) return schedule.textAtOnce
  const deadline = new Date(now + grace).toISOString()
  return fill(schedule.textUntil, {
    day: onDay(lang as PageLanguage, deadline, timeZone),
    left: durationInWords(grace / second, lang),
  })
}

export const privacyActions: readonly UserAction[] = [
  {
    name: 'send-data',
    icon: 'download',
    right: 'export',
    isFor: isLiving,
    words: words('export'),
    call: (details) => call(ExportByAdminRoute, { params: ofUser(details), body: {} }),
  },
  {
    name: 'schedule-deletion',
    icon: 'clock',
    right: 'delete',
    isDangerous: true,
    isFor: (details) => isLiving(details) && !isPending(details),
    words: words('schedule'),
    text: scheduleText,
    fields: [
      { name: 'reason', label: (lang) => privacyTextsFor(lang).admin.actions.reason, maxLength: 500, isOptional: true },
    ],
    undo: 'cancel-deletion',
    call: (details, { reason }) =>
      call(DeletionByAdminRoute, { params: ofUser(details), body: reason ? { reason } : {} }),
  },
  {
    name: 'cancel-deletion',
    icon: 'undo',
    right: 'restore',
    isFor: (details) => isLiving(details) && isPending(details),
    words: words('cancel'),
    call: (details) => call(CancelByAdminRoute, { params: ofUser(details) }),
  },
]
