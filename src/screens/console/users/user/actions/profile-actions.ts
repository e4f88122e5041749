import { StartEmailChangeRoute, UpdateUserRoute } from '../../../../../admin/user-schemas.ts'
import type { ActionField, UserAction } from '../../../../../ui/console/console-part.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { hasJoined, isLiving, isUnverified, label, ofUser, words } from './action-parts.ts'

export const edit = (isUsed: (field: string) => boolean): UserAction => ({
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
})

const memberField = (name: 'name' | 'last_name' | 'user_name' | 'phone' | 'title', maxLength: number): ActionField => ({
  name,
  label: label(name),
  maxLength,
  ...(name !== 'user_name' && { isOptional: true }),
  ...(name === 'phone' && { type: 'tel' }),
  value: ({ user }) => String(user[name] ?? ''),
})

export const verify: UserAction = {
  name: 'verify',
  icon: 'check',
  right: 'change_protection',
  isFor: isUnverified,
  words: words('verify'),
  // The address that the page showed, not one that the user has entered since.
  call: (details, { updated_at }) =>
    call(UpdateUserRoute, { params: ofUser(details), body: { is_verified: true, expected_updated_at: updated_at } }),
}

export const changeEmail: UserAction = {
  name: 'change-email',
  icon: 'mail',
  right: 'start_email_change',
  // Both addresses must confirm the change, which is impossible if an invited person's address was mistyped.
  isFor: hasJoined,
  words: words('change_email'),
  fields: [{ name: 'new_email', label: label('new_email'), type: 'email', maxLength: 254 }],
  call: (details, { new_email }) => call(StartEmailChangeRoute, { params: ofUser(details), body: { new_email } }),
}
