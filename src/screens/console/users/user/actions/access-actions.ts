import { ImpersonateRoute } from '../../../../../admin/impersonation-schemas.ts'
import { ResetPasskeysRoute } from '../../../../../admin/reset-passkeys-schemas.ts'
import {
  BlockRoute,
  DeleteUserRoute,
  EndSessionsRoute,
  RestoreRoute,
  UnblockRoute,
} from '../../../../../admin/user-schemas.ts'
import { day } from '../../../../../lib/time.ts'
import type { ActionField, UserAction, UserDetails } from '../../../../../ui/console/console-part.ts'
import { adminTextsFor } from '../../../../../ui/console/texts/index.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { hasJoined, isLiving, isUnblocked, label, ofUser, words } from './action-parts.ts'

const reasonField: ActionField = { name: 'reason', label: label('reason'), hint: label('reasonHint'), maxLength: 500 }

export const endSessions: UserAction = {
  name: 'end-sessions',
  icon: 'leave',
  right: 'end_sessions',
  isFor: (details) => isLiving(details) && details.sessionCount !== 0,
  words: words('end_sessions'),
  call: (details) => call(EndSessionsRoute, { params: ofUser(details) }),
}

export const resetPasskeys: UserAction = {
  name: 'reset-passkeys',
  icon: 'shield',
  right: 'change_protection',
  isDangerous: true,
  isFor: (details) => isUnblocked(details) && (hasPasskeys(details) || mayNeedLink(details)),
  words: words('reset_passkeys'),
  call: (details) => call(ResetPasskeysRoute, { params: ofUser(details) }),
}

const hasPasskeys = ({ passkeys }: UserDetails): boolean => Array.isArray(passkeys) && !isEmpty(passkeys)

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

/** After a reset whose link has expired. */
const mayNeedLink = (details: UserDetails): boolean =>
  hasJoined(details) && details.has_password === false && isEmpty(details.identities)

export const impersonate: UserAction = {
  name: 'impersonate',
  icon: 'people',
  right: 'impersonate',
  next: '/account',
  isFor: isUnblocked,
  words: words('impersonate'),
  fields: [reasonField],
  call: (details, { reason }) => call(ImpersonateRoute, { params: ofUser(details), body: { reason } }),
}

export const block = (now: () => number): UserAction => ({
  name: 'block',
  icon: 'block',
  right: 'block',
  isDangerous: true,
  isFor: isUnblocked,
  words: words('block'),
  undo: 'unblock',
  fields: [reasonField, daysField],
  call: (details, { reason, days }) =>
    call(BlockRoute, {
      params: ofUser(details),
      body: {
        reason,
        ...(durations.includes(Number(days)) && { until: new Date(now() + Number(days) * day).toISOString() }),
      },
    }),
})

const durations = [1, 7, 30]

const daysField: ActionField = {
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
}

export const unblock: UserAction = {
  name: 'unblock',
  icon: 'check',
  right: 'unblock',
  isFor: (details) => isLiving(details) && Boolean(details.user.blocked),
  words: words('unblock'),
  undo: 'block',
  call: (details) => call(UnblockRoute, { params: ofUser(details), body: {} }),
}

export const deleteUser: UserAction = {
  name: 'delete',
  icon: 'trash',
  right: 'delete',
  isDangerous: true,
  isFor: isLiving,
  words: words('delete'),
  undo: 'restore',
  call: (details) => call(DeleteUserRoute, { params: ofUser(details) }),
}

export const restore: UserAction = {
  name: 'restore',
  icon: 'undo',
  right: 'restore',
  isFor: (details) => !isLiving(details),
  words: words('restore'),
  undo: 'delete',
  call: (details) => call(RestoreRoute, { params: ofUser(details), body: {} }),
}
