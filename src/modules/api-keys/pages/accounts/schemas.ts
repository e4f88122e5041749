import Type from 'typebox'
import { done, field, form_token } from '../../../../ui/console/schemas.ts'

const params = Type.Object({ service_account_id: Type.String({ maxLength: 100 }) })
const query = Type.Object({ done })
// The forms have a checkbox for each scope. Applications can declare more at any time.
const more = { additionalProperties: true }
const account = Type.Object({ name: field, description: field, owners: field, ends_on: field, form_token }, more)

export const AccountsPageRoute = { summary: 'Service accounts page', querystring: query }
export const NewAccountPageRoute = { summary: 'Page for adding a service account' }
export const CreateAccountFormRoute = { summary: 'Add a service account', body: account }
export const AccountPageRoute = { summary: 'Page of a service account and its keys', params, querystring: query }
export const EditAccountFormRoute = { summary: 'Change a service account', params, body: account }
export const CreateAccountKeyFormRoute = {
  summary: 'Create a key of a service account',
  params,
  body: Type.Object({ name: field, days: field, ip_ranges: field, form_token }, more),
}
export const AccountActionFormRoute = {
  summary: 'Enable or disable a service account, or replace or revoke one of its keys',
  params,
  body: Type.Object({ action: field, key_id: field, form_token }),
}
export const DeleteAccountPageRoute = { summary: 'Page for deleting a service account', params }
export const DeleteAccountFormRoute = {
  summary: 'Delete a service account',
  params,
  body: Type.Object({ form_token }),
}
