import { ImpersonateRoute } from '../../../../admin/impersonation-schemas.ts'
import {
  BlockRoute,
  DeleteUserRoute,
  EndSessionsRoute,
  RestoreRoute,
  SendMessageRoute,
  StartEmailChangeRoute,
  UnblockRoute,
  UpdateUserRoute,
} from '../../../../admin/user-schemas.ts'
import { admins } from '../../../../http/access/access.ts'
import { day, minute } from '../../../../lib/time.ts'
import type { ActionField, ActionWords, UserAction, UserDetails } from '../../../../ui/console/console-part.ts'
import { roleName, roleRights } from '../../../../ui/console/roles.ts'
import { type AdminTexts, adminTextsFor } from '../../../../ui/console/texts/index.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { fill } from '../../../../ui/texts/index.ts'
import { isInvited } from './read-user.ts'

type Name = keyof AdminTexts['actions']['words']

const words =
  (name: Name) =>
  (lang: string): ActionWords =>
    adminTextsFor(lang).actions.words[name]

const label = (name: keyof AdminTexts['actions']['fields']) => (lang: string) =>
  adminTextsFor(lang).actions.fields[name]

const ofUser = ({ user }: UserDetails) => ({ user_id: user.id })

const isLiving = ({ user }: UserDetails): boolean => user.deleted_at === undefined
const isDeleted = (details: UserDetails): boolean => !isLiving(details)
const isBlocked = (details: UserDetails): boolean => isLiving(details) && Boolean(details.user.blocked)
/** For actions that start a session or mail a link for one, which blocked users cannot use. */
const isUnblocked = (details: UserDetails): boolean => isLiving(details) && !details.user.blocked

const memberField = (name: 'name' | 'last_name' | 'user_name' | 'phone' | 'title', maxLength: number): ActionField => ({
  name,
  label: label(name),
  maxLength,
  ...(name !== 'user_name' && { isOptional: true }),
  ...(name === 'phone' && { type: 'tel' }),
  value: ({ user }) => String(user[name] ?? ''),
})

const durations = [1, 7, 30]

const undoLimit = 10 * minute

const isRecent = (time: string, now: number): boolean => now - Date.parse(time) < undoLimit

const sends = (name: Name, message: string, isFor: UserAction['isFor'] = isLiving): UserAction => ({
  name: name.replaceAll('_', '-'),
  icon: 'mail',
  right: 'send_message',
  isFor,
  words: words(name),
  call: (details) => call(SendMessageRoute, { params: ofUser(details), body: { message } }),
})

const isAwaited = (details: UserDetails): boolean => isUnblocked(details) && isInvited(details)
const hasJoined = (details: UserDetails): boolean => isLiving(details) && !isInvited(details)

/** The core's actions, in page order. */
export const coreActions = (now: () => number, isUsed: (field: string) => boolean): UserAction[] => [
  // Until the invitation is accepted, the other messages are not offered, because they also lead to a first sign-in.
  sends('invite_again', 'invitation', isAwaited),
  {
    name: 'edit',
    icon: 'content',
    right: 'update',
    isFor: isLiving,
    words: words('edit'),
    fields: [
      memberField('name', 100),
      memberField('last_name', 100),
      memberField('user_name', 32),
      memberField('phone', 40),
      memberField('title', 100),
    ].filter(({ name }) => isUsed(name)),
    call: (details, { updated_at, ...members }) =>
      call(UpdateUserRoute, { params: ofUser(details), body: { ...members, expected_updated_at: updated_at } }),
  },
  {
    name: 'role',
    icon: 'person',
    right: 'change_role',
    isFor: isLiving,
    words: words('role'),
    undo: 'role',
    // From the audit event, because a link from another site could contain any role.
    undoValues: ({ user }, { event, time, details: { from, to } }) =>
      event === 'role_changed' && to === user.user_type && typeof from === 'string' && isRecent(time, now())
        ? { user_type: from, updated_at: user.updated_at }
        : undefined,
    // One wrong key in the list of roles must not give a person all rights.
    question: (lang, { user_type: role = '' }) => {
      if (!admins.roles?.includes(role)) return undefined
      const { roleQuestion } = adminTextsFor(lang).actions
      const values = { role: roleName(lang, role), rights: roleRights(lang, role) }
      return {
        title: fill(roleQuestion.title, values),
        text: fill(roleQuestion.text, values),
        button: fill(roleQuestion.button, values),
      }
    },
    fields: [
      {
        name: 'user_type',
        label: label('user_type'),
        maxLength: 100,
        isRequired: true,
        choices: (lang, grantable, { user }) => [
          { value: '', label: adminTextsFor(lang).actions.chooseRole },
          ...grantable
            .filter((role) => role !== user.user_type)
            .map((value) => ({ value, label: roleName(lang, value) })),
        ],
      },
    ],
    call: (details, { user_type, updated_at }) =>
      call(UpdateUserRoute, { params: ofUser(details), body: { user_type, expected_updated_at: updated_at } }),
  },
  sends('send_reset', 'password_reset', (details) => hasJoined(details) && isUnblocked(details)),
  sends('send_sign_in_link', 'sign_in_link', (details) => hasJoined(details) && isUnblocked(details)),
  sends('send_verification', 'verification', (details) => hasJoined(details) && !details.user.is_verified),
  {
    name: 'verify',
    icon: 'check',
    right: 'change_protection',
    isFor: (details) => isLiving(details) && !details.user.is_verified,
    words: words('verify'),
    // The address that the page showed, not one that the user has entered since.
    call: (details, { updated_at }) =>
      call(UpdateUserRoute, { params: ofUser(details), body: { is_verified: true, expected_updated_at: updated_at } }),
  },
  {
    name: 'change-email',
    icon: 'mail',
    right: 'start_email_change',
    // Both addresses must confirm the change, which is impossible if an invited person's address was mistyped.
    isFor: hasJoined,
    words: words('change_email'),
    fields: [{ name: 'new_email', label: label('new_email'), type: 'email', maxLength: 254 }],
    call: (details, { new_email }) => call(StartEmailChangeRoute, { params: ofUser(details), body: { new_email } }),
  },
  {
    name: 'end-sessions',
    icon: 'leave',
    right: 'end_sessions',
    isFor: (details) => isLiving(details) && details.sessionCount !== 0,
    words: words('end_sessions'),
    call: (details) => call(EndSessionsRoute, { params: ofUser(details) }),
  },
  {
    name: 'impersonate',
    icon: 'people',
    right: 'impersonate',
    next: '/account',
    isFor: isUnblocked,
    words: words('impersonate'),
    fields: [{ name: 'reason', label: label('reason'), hint: label('reasonHint'), maxLength: 500 }],
    call: (details, { reason }) => call(ImpersonateRoute, { params: ofUser(details), body: { reason } }),
  },
  {
    name: 'block',
    icon: 'block',
    right: 'block',
    isDangerous: true,
    isFor: (details) => isLiving(details) && !details.user.blocked,
    words: words('block'),
    undo: 'unblock',
    fields: [
      { name: 'reason', label: label('reason'), hint: label('reasonHint'), maxLength: 500 },
      {
        name: 'days',
        label: label('until'),
        maxLength: 4,
        choices: (lang) => {
          const { always, days } = adminTextsFor(lang).actions.ends
          const unit = new Intl.NumberFormat(lang, { style: 'unit', unit: 'day', unitDisplay: 'long' })
          return [
            { value: '', label: always },
            ...durations.map((count) => ({ value: String(count), label: `${days} ${unit.format(count)}` })),
          ]
        },
      },
    ],
    call: (details, { reason, days }) =>
      call(BlockRoute, {
        params: ofUser(details),
        body: {
          reason,
          ...(durations.includes(Number(days)) && { until: new Date(now() + Number(days) * day).toISOString() }),
        },
      }),
  },
  {
    name: 'unblock',
    icon: 'check',
    right: 'unblock',
    isFor: isBlocked,
    words: words('unblock'),
    undo: 'block',
    call: (details) => call(UnblockRoute, { params: ofUser(details), body: {} }),
  },
  {
    name: 'delete',
    icon: 'trash',
    right: 'delete',
    isDangerous: true,
    isFor: isLiving,
    words: words('delete'),
    undo: 'restore',
    call: (details) => call(DeleteUserRoute, { params: ofUser(details) }),
  },
  {
    name: 'restore',
    icon: 'undo',
    right: 'restore',
    isFor: isDeleted,
    words: words('restore'),
    undo: 'delete',
    call: (details) => call(RestoreRoute, { params: ofUser(details), body: {} }),
  },
]
