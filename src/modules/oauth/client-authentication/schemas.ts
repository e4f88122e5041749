import Type from 'typebox'
import { anyone, type RouteAccess } from '../../../http/access/access.ts'

export const oauthTag = 'OAuth'

/** For client_secret_post. With client_secret_basic, the credentials are in Authorization. */
export const clientMembers = {
  client_id: Type.Optional(
    Type.String({ maxLength: 2_048, description: 'unless Authorization contains it', examples: ['billing-worker'] }),
  ),
  client_secret: Type.Optional(
    Type.String({ maxLength: 1_000, description: 'unless Authorization contains it', examples: ['wcs_…'] }),
  ),
}

export const authenticatedClient: RouteAccess = {
  ...anyone,
  description: 'an OAuth client, with its secret in Authorization (Basic) or in the body',
}
