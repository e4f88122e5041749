import { jwksPath } from '../keys/schemas.ts'
import { KeyMembers, MachineMembers, type MetadataPart, ServiceMembers } from './schemas.ts'

const secretMethods = ['client_secret_basic', 'client_secret_post']

/** The endpoints for programs (RFC 8414, 2). */
export const machineMetadata: MetadataPart<typeof MachineMembers.properties> = {
  members: MachineMembers,
  read: ({ PUBLIC_URL }) => ({
    token_endpoint: `${PUBLIC_URL}/oauth/token`,
    token_endpoint_auth_methods_supported: secretMethods,
    introspection_endpoint: `${PUBLIC_URL}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: secretMethods,
    revocation_endpoint: `${PUBLIC_URL}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: secretMethods,
    grant_types_supported: ['client_credentials'],
    // RFC 8414 requires the member, and clients reject metadata without it. It is empty because there is no
    // authorization endpoint.
    response_types_supported: [],
  }),
}

export const keyMetadata: MetadataPart<typeof KeyMembers.properties> = {
  members: KeyMembers,
  read: ({ PUBLIC_URL }) => ({ jwks_uri: `${PUBLIC_URL}${jwksPath}` }),
}

/** Only public documentation is named. The names of scopes are left out, because those of applications are not public. */
export const serviceMetadata: MetadataPart<typeof ServiceMembers.properties> = {
  members: ServiceMembers,
  read: ({ PUBLIC_URL, DOCS_PAGE }) => (DOCS_PAGE === 'on' ? { service_documentation: `${PUBLIC_URL}/docs` } : {}),
}
