import Type from 'typebox'
import { done, field, form_token } from '../../../ui/console/schemas.ts'
import { maxPicks } from './bulk/choices.ts'
import { searchNames } from './list/search-fields.ts'

const value = Type.Optional(Type.String({ maxLength: 200 }))
const valuesOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, value]))
const fieldsOf = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, field]))

/** In the URL, a module's filters have the same names as in the API. */
export const usersRoute = (filters: readonly string[]) => ({
  summary: 'Users page',
  querystring: Type.Object({
    ...valuesOf([...searchNames, ...filters]),
    done,
    count: Type.Optional(Type.String({ maxLength: 10 })),
  }),
})

export const exportPageRoute = (filters: readonly string[]) => ({
  summary: 'Page for exporting users',
  querystring: Type.Object({ ...valuesOf([...searchNames, ...filters]), done }),
})

export const NewUserRoute = {
  summary: 'Page for inviting or creating a user',
  querystring: Type.Object({ done, role: Type.Optional(Type.String({ maxLength: 40, description: 'selected role' })) }),
}
export const NewUserFormRoute = {
  summary: 'Invite or create a user',
  body: Type.Object({
    email: Type.String(),
    name: field,
    last_name: field,
    user_type: field,
    password: field,
    way: field,
    form_token,
  }),
}

const picks = fieldsOf(Array.from({ length: maxPicks }, (_, index) => `pick${index}`))
export const ChooseRoute = {
  summary: 'Confirm changing many users',
  body: Type.Object({ action: Type.String(), form_token, ...picks }),
}
export const ConfirmRoute = {
  summary: 'Change many users',
  body: Type.Object({
    action: Type.String(),
    ids: Type.String(),
    reason: field,
    user_type: field,
    application_role: field,
    days: field,
    form_token,
  }),
}

const params = Type.Object({ user_id: Type.String({ maxLength: 100 }) })
const actionParams = Type.Object({ ...params.properties, action: Type.String({ maxLength: 40 }) })
const actionFields = fieldsOf([
  'name',
  'last_name',
  'user_name',
  'phone',
  'title',
  'user_type',
  'new_email',
  'reason',
  'days',
  'session',
  'key_id',
  'application_role',
  'updated_at',
  'confirmed',
])

export const UserRoute = { summary: 'User page', params, querystring: Type.Object({ done }) }
export const AskRoute = { summary: 'Page for confirming a change to a user', params: actionParams }
export const ActionFormRoute = {
  summary: 'Change a user',
  params: actionParams,
  body: Type.Object({ ...actionFields, form_token }),
}
