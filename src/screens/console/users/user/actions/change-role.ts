import { UpdateUserRoute } from '../../../../../admin/user-schemas.ts'
import { builtInRoles } from '../../../../../config/staff-permissions.ts'
import { minute } from '../../../../../lib/time.ts'
import type { ActionField, ActionQuestion, UserAction } from '../../../../../ui/console/console-part.ts'
import { type RolesInWords, roleName, roleRights } from '../../../../../ui/console/roles.ts'
import { adminTextsFor } from '../../../../../ui/console/texts/index.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { fill } from '../../../../../ui/texts/index.ts'
import { isLiving, label, ofUser, words } from './action-parts.ts'

export const changeRole = (now: () => number): UserAction => ({
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
  question: (lang, { user_type: role = '' }, roles) =>
    [...builtInRoles, ...roles.added.map(({ key }) => key)].includes(role)
      ? roleQuestion(lang, role, roles)
      : undefined,
  fields: [roleField],
  call: (details, { user_type, updated_at }) =>
    call(UpdateUserRoute, { params: ofUser(details), body: { user_type, expected_updated_at: updated_at } }),
})

const undoLimit = 10 * minute

const isRecent = (time: string, now: number): boolean => now - Date.parse(time) < undoLimit

/** One wrong key in the list of roles must not give a person all rights. */
function roleQuestion(lang: string, role: string, roles: RolesInWords): ActionQuestion {
  const { title, text, button } = adminTextsFor(lang).actions.roleQuestion
  const values = { role: roleName(lang, role, roles), rights: roleRights(lang, role, roles) }
  return { title: fill(title, values), text: fill(text, values), button: fill(button, values) }
}

const roleField: ActionField = {
  name: 'user_type',
  label: label('user_type'),
  maxLength: 100,
  isRequired: true,
  choices: (lang, grantable, { user }) => [
    { value: '', label: adminTextsFor(lang).actions.chooseRole },
    ...grantable.filter(({ value }) => value !== user.user_type),
  ],
}
