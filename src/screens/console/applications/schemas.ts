import Type from 'typebox'
import { done, field, form_token } from '../../../ui/console/schemas.ts'
import { methodFields } from './application/rule-fields.ts'

const params = Type.Object({ application_id: Type.String({ maxLength: 100 }) })

export const ApplicationsPageRoute = {
  summary: 'Applications page',
  querystring: Type.Object({
    q: Type.Optional(Type.String()),
    state: Type.Optional(Type.String({ maxLength: 20 })),
    page: Type.Optional(Type.String({ maxLength: 7 })),
  }),
}

export const AdoptAddressFormRoute = {
  summary: 'Copy an address of the settings to an application',
  body: Type.Object({ address: field, form_token }),
}

const recipe = Type.Optional(Type.String({ maxLength: 40, description: 'what the application is built with' }))

export const NewApplicationPageRoute = { summary: 'Page for adding an application' }

export const CreateApplicationFormRoute = {
  summary: 'Add an application',
  body: Type.Object({ with: recipe, name: field, address: field, key: field, form_token }),
}

export const ApplicationPageRoute = {
  summary: 'Page of an application',
  params,
  querystring: Type.Object({
    done,
    add: Type.Optional(Type.String({ maxLength: 2_048, description: 'a return address to propose in the form' })),
  }),
}

const methods: Record<string, typeof field> = Object.fromEntries(methodFields.map((name) => [name, field]))

export const EditApplicationFormRoute = {
  summary: 'Change an application',
  params,
  body: Type.Object({
    name: field,
    kind: field,
    return_addresses: field,
    origins: field,
    development: field,
    home_url: field,
    sign_out_url: field,
    existing_only: field,
    ...methods,
    note: field,
    expected_updated_at: field,
    form_token,
  }),
}

export const ApplicationActionFormRoute = {
  summary: 'Enable, disable, delete or restore an application',
  params,
  body: Type.Object({ action: field, form_token }),
}

export const ConfirmApplicationPageRoute = {
  summary: 'Page for disabling or deleting an application',
  params,
}

export const ApplicationTestPageRoute = {
  summary: 'Page for testing an application',
  params,
}

export const TestApplicationFormRoute = {
  summary: 'Test an application',
  params,
  body: Type.Object({ page: field, form_token }),
}

export const ConnectApplicationPageRoute = {
  summary: 'Files and settings of an application',
  params,
  querystring: Type.Object({ with: recipe, done }),
}

export const CreateConnectSecretFormRoute = {
  summary: 'Create a bridge secret and show it in the files of an application',
  params,
  body: Type.Object({
    with: recipe,
    secret: Type.Optional(Type.String({ maxLength: 100, description: 'shown instead of a new one' })),
    form_token,
  }),
}

export const SecretsPageRoute = {
  summary: 'Bridge secrets of an application',
  params,
  querystring: Type.Object({ done }),
}

const secretTerms = {
  right_sessions: field,
  right_users: field,
  right_events: field,
  right_permissions: field,
  ip_ranges: field,
  ends_in: field,
}

export const CreateSecretFormRoute = {
  summary: 'Create a bridge secret of an application',
  params,
  body: Type.Object({ ...secretTerms, form_token }),
}

export const SecretActionFormRoute = {
  summary: 'Change, rotate or revoke a bridge secret of an application',
  params,
  body: Type.Object({ action: field, secret_id: field, overlap: field, ...secretTerms, form_token }),
}

export const RejectionsPageRoute = { summary: 'Rejections of an application', params }

export const OtherRejectionsPageRoute = { summary: 'Rejections that concern no application' }

export const AppearancePageRoute = {
  summary: 'Appearance of the sign-in pages of an application',
  params,
  querystring: Type.Object({ done }),
}

const appearanceMembers = {
  accent: field,
  accent_picked: field,
  accent_before: field,
  terms_url: field,
  privacy_url: field,
  expected_updated_at: field,
  form_token,
}

export const AppearanceFormRoute = {
  summary: 'Change the appearance of the sign-in pages of an application',
  params,
  body: Type.Object({ ...appearanceMembers, reset: field }),
}

const view = Type.Optional(Type.String({ maxLength: 20, description: '`light` or `dark`' }))

export const AppearancePreviewRoute = {
  summary: 'Preview of the saved appearance of an application',
  params,
  querystring: Type.Object({ view }),
}

export const AppearancePreviewFormRoute = {
  summary: 'Preview of an appearance that is not saved',
  params,
  body: Type.Object({ ...appearanceMembers, view }),
}

export const AppearanceLogoFormRoute = { summary: 'Upload the logo of an application', params }
