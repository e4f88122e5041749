import type { ModuleState } from '../../../context.ts'
import { pageLanguages } from '../../../ui/texts/index.ts'
import { mfaAcr } from '../authorize/parameters.ts'
import { authorizePath } from '../authorize/paths.ts'
import { jwksPath } from '../keys/schemas.ts'
import { endSessionPath } from '../logout/paths.ts'
import { offeredOidcScopes } from '../oidc-scopes.ts'
import { signingAlgs } from '../rows.ts'
import { claimsOfScope } from '../userinfo/claim-names.ts'
import {
  EndpointMembers,
  KeyMembers,
  LogoutMembers,
  type MetadataPart,
  OpenIdMembers,
  ServiceMembers,
} from './schemas.ts'

const secretMethods = ['client_secret_basic', 'client_secret_post']
const allMethods = [...secretMethods, 'none']

/** RFC 8414, 2. */
export const endpointMetadata: MetadataPart<typeof EndpointMembers.properties> = {
  members: EndpointMembers,
  read: ({ PUBLIC_URL }) => ({
    token_endpoint: `${PUBLIC_URL}/oauth/token`,
    token_endpoint_auth_methods_supported: allMethods,
    introspection_endpoint: `${PUBLIC_URL}/oauth/introspect`,
    introspection_endpoint_auth_methods_supported: secretMethods,
    revocation_endpoint: `${PUBLIC_URL}/oauth/revoke`,
    revocation_endpoint_auth_methods_supported: allMethods,
    grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
    response_types_supported: ['code'],
  }),
}

/** Only scopes with a meaning of their own are named: those of applications are not public. */
export const openIdMetadata: MetadataPart<typeof OpenIdMembers.properties> = {
  members: OpenIdMembers,
  read: ({ PUBLIC_URL }, ctx) => ({
    authorization_endpoint: `${PUBLIC_URL}${authorizePath}`,
    userinfo_endpoint: `${PUBLIC_URL}/oauth/userinfo`,
    response_modes_supported: ['query', 'form_post'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...signingAlgs],
    scopes_supported: offeredOidcScopes(ctx),
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'auth_time', 'nonce', 'acr', 'amr', 'sid', ...claimsOf(ctx)],
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    prompt_values_supported: ['none', 'login', 'consent', 'select_account', 'create'],
    acr_values_supported: [mfaAcr],
    ui_locales_supported: [...pageLanguages],
  }),
}

const claimsOf = (ctx: { modules: ModuleState }): string[] =>
  offeredOidcScopes(ctx).flatMap((scope) => claimsOfScope[scope] ?? [])

export const keyMetadata: MetadataPart<typeof KeyMembers.properties> = {
  members: KeyMembers,
  read: ({ PUBLIC_URL }) => ({ jwks_uri: `${PUBLIC_URL}${jwksPath}` }),
}

/** OpenID Connect RP-Initiated Logout, 2.1, and Back-Channel Logout, 2.1. */
export const logoutMetadata: MetadataPart<typeof LogoutMembers.properties> = {
  members: LogoutMembers,
  read: ({ PUBLIC_URL }) => ({
    end_session_endpoint: `${PUBLIC_URL}${endSessionPath}`,
    backchannel_logout_supported: true,
    backchannel_logout_session_supported: true,
  }),
}

/** Only public documentation is named. The names of scopes are left out, because those of applications are not public. */
export const serviceMetadata: MetadataPart<typeof ServiceMembers.properties> = {
  members: ServiceMembers,
  read: ({ PUBLIC_URL, DOCS_PAGE }) => (DOCS_PAGE === 'on' ? { service_documentation: `${PUBLIC_URL}/docs` } : {}),
}
