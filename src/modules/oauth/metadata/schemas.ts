import Type, { type Static, type TObject, type TProperties } from 'typebox'
import type { ModuleState } from '../../../context.ts'
import { describe } from '../../../http/responses/schemas.ts'

/** Members of the metadata that belong together, such as those of an endpoint. */
export interface MetadataPart<Members extends TProperties = TProperties> {
  members: TObject<Members>
  /** A member that is absent here is absent in the metadata. */
  read(config: { PUBLIC_URL: string; DOCS_PAGE: string }, ctx: { modules: ModuleState }): Static<TObject<Members>>
}

const texts = Type.Array(Type.String())

export const EndpointMembers = Type.Object({
  token_endpoint: Type.String(),
  token_endpoint_auth_methods_supported: texts,
  introspection_endpoint: Type.String(),
  introspection_endpoint_auth_methods_supported: texts,
  revocation_endpoint: Type.String(),
  revocation_endpoint_auth_methods_supported: texts,
  grant_types_supported: texts,
  response_types_supported: texts,
})

const flag = Type.Boolean()

/** OpenID Connect Discovery, 3. */
export const OpenIdMembers = Type.Object({
  authorization_endpoint: Type.String(),
  userinfo_endpoint: Type.String(),
  response_modes_supported: texts,
  code_challenge_methods_supported: texts,
  authorization_response_iss_parameter_supported: flag,
  subject_types_supported: texts,
  id_token_signing_alg_values_supported: texts,
  scopes_supported: texts,
  claims_supported: texts,
  claims_parameter_supported: flag,
  request_parameter_supported: flag,
  request_uri_parameter_supported: flag,
  prompt_values_supported: texts,
  acr_values_supported: texts,
  ui_locales_supported: texts,
})

export const KeyMembers = Type.Object({ jwks_uri: Type.String() })

export const LogoutMembers = Type.Object({
  end_session_endpoint: Type.String(),
  backchannel_logout_supported: flag,
  backchannel_logout_session_supported: flag,
})

export const ServiceMembers = Type.Object({ service_documentation: Type.Optional(Type.String()) })

export const metadataRoute = (parts: readonly Pick<MetadataPart, 'members'>[]) =>
  describe(
    {
      operationId: 'getAuthorizationServerMetadata',
      summary: 'Get the metadata of the authorization server',
      description:
        'The metadata of RFC 8414, and of OpenID Connect Discovery. Contains only what this installation supports. If ' +
        'PUBLIC_URL has a path, the metadata is also available with this path after and before `/.well-known/…`.',
      tag: 'OAuth',
    },
    {},
    Type.Object({
      issuer: Type.String(),
      ...Object.assign({}, ...parts.map(({ members }) => members.properties)),
    }),
  )
