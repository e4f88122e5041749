import Type from 'typebox'
import { done, field, form_token } from '../../../ui/console/schemas.ts'

const params = Type.Object({ client_id: Type.String({ maxLength: 100 }) })
const ofDone = Type.Object({ done })
const confirmed = Type.Object({ form_token })
// The forms have a checkbox for each scope and API. Applications can declare more at any time.
const more = { additionalProperties: true }
/** Of clients that sign users in. */
const signIn = {
  ...{ redirect_uris: field, post_logout_uris: field, allowed_origins: field, id_token_alg: field },
  ...{ refresh_idle_ttl: field, refresh_absolute_ttl: field, required_permission: field, backchannel_uri: field },
}
const choice = { type: field, application_id: field, service_account_id: field }

export const ClientsPageRoute = {
  summary: 'OAuth clients page',
  querystring: Type.Object({
    q: Type.Optional(Type.String()),
    state: Type.Optional(Type.String({ maxLength: 20 })),
    page: Type.Optional(Type.String({ maxLength: 7 })),
    done,
  }),
}
export const NewClientPageRoute = { summary: 'Page for adding an OAuth client', querystring: Type.Object(choice) }
export const CreateClientFormRoute = {
  summary: 'Add an OAuth client',
  body: Type.Object(
    { ...choice, name: field, client_id: field, access_ttl: field, first: field, ...signIn, form_token },
    more,
  ),
}
export const ClientPageRoute = { summary: 'Page of an OAuth client', params, querystring: ofDone }
export const EditClientFormRoute = {
  summary: 'Change an OAuth client',
  params,
  body: Type.Object(
    {
      ...{ name: field, service_account_id: field, access_ttl: field, first: field, ...signIn },
      ...{ expected_updated_at: field, form_token },
    },
    more,
  ),
}
export const EnableClientFormRoute = { summary: 'Enable an OAuth client', params, body: confirmed }
export const DisableClientPageRoute = { summary: 'Page for disabling an OAuth client', params }
export const DisableClientFormRoute = { summary: 'Disable an OAuth client', params, body: confirmed }
export const DeleteClientPageRoute = { summary: 'Page for deleting an OAuth client', params }
export const DeleteClientFormRoute = { summary: 'Delete an OAuth client', params, body: confirmed }
export const ClientSecretsPageRoute = { summary: 'Page of the secrets of an OAuth client', params, querystring: ofDone }
export const AddClientSecretFormRoute = {
  summary: 'Add a secret to an OAuth client',
  params,
  body: Type.Object({ overlap: field, form_token }),
}
export const RemoveClientSecretFormRoute = {
  summary: 'Remove a secret of an OAuth client',
  params,
  body: Type.Object({ secret_id: field, form_token }),
}

const resourceParams = Type.Object({ resource_id: Type.String({ maxLength: 100 }) })
const resource = {
  ...{ name: field, identifier: field, aliases: field, token_format: field, alg: field, access_ttl: field },
  form_token,
}

export const ResourcesPageRoute = { summary: 'Page of the APIs for which tokens are issued', querystring: ofDone }
export const NewResourcePageRoute = { summary: 'Page for adding an API for which tokens are issued' }
export const CreateResourceFormRoute = {
  summary: 'Add an API for which tokens are issued',
  body: Type.Object({ application_id: field, ...resource }),
}
export const ResourcePageRoute = {
  summary: 'Page of an API for which tokens are issued',
  params: resourceParams,
  querystring: ofDone,
}
export const EditResourceFormRoute = {
  summary: 'Change an API for which tokens are issued',
  params: resourceParams,
  body: Type.Object({ ...resource, expected_updated_at: field }),
}
export const EnableResourceFormRoute = {
  summary: 'Enable an API for which tokens are issued',
  params: resourceParams,
  body: confirmed,
}
export const DisableResourcePageRoute = {
  summary: 'Page for disabling an API for which tokens are issued',
  params: resourceParams,
}
export const DisableResourceFormRoute = {
  summary: 'Disable an API for which tokens are issued',
  params: resourceParams,
  body: confirmed,
}
export const DeleteResourcePageRoute = {
  summary: 'Page for removing an API for which tokens are issued',
  params: resourceParams,
}
export const DeleteResourceFormRoute = {
  summary: 'Remove an API for which tokens are issued',
  params: resourceParams,
  body: confirmed,
}

export const SigningKeysPageRoute = { summary: 'Signing keys page', querystring: ofDone }
export const RotateKeysFormRoute = {
  summary: 'Replace signing keys early',
  body: Type.Object({ alg: field, form_token }),
}
export const CompromisedKeysPageRoute = { summary: 'Page for replacing compromised signing keys' }
export const CompromisedKeysFormRoute = {
  summary: 'Replace compromised signing keys',
  body: Type.Object({ alg: field, form_token }),
}

export const TestClientPageRoute = { summary: 'Page for testing an OAuth client', params }
export const TestClientFormRoute = {
  summary: 'Test an OAuth client',
  params,
  body: Type.Object({ resource: field, scope: field, form_token }),
}
export const ClientGrantsPageRoute = {
  summary: 'Page of the users to whose accounts an OAuth client has access',
  params,
  querystring: Type.Object({ page: Type.Optional(Type.String({ maxLength: 7 })), done }),
}
export const EndClientGrantsFormRoute = { summary: 'End all access of an OAuth client', params, body: confirmed }
export const ClientRejectionsPageRoute = { summary: 'Page of the rejected requests of an OAuth client', params }
