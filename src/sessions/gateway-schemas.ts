import Type from 'typebox'
import { describe } from '../http/responses/schemas.ts'
import { sessionPending } from '../lib/errors.ts'
import { permissionPattern } from '../users/permission-keys.ts'

export const GatewayRoute = describe(
  {
    operationId: 'verifyForGateway',
    errors: [
      'INVALID_SESSION',
      sessionPending,
      'INVALID_CREDENTIAL',
      'KEY_PAUSED',
      'IMPERSONATED',
      'FORBIDDEN',
      'KEY_NETWORK',
      'RESOURCE_REQUIRED',
      'INSUFFICIENT_SCOPE',
    ],
    redirects: {
      302: 'A redirect to the sign-in page, if the gateway requests it and a visitor who is not signed in opens a page.',
    },
    summary: 'Authenticate a request for a gateway',
    description:
      'For gateways such as nginx, Caddy and Traefik, which send an authentication request before forwarding a ' +
      'request. The session is read from X-Session-ID, `Authorization: Bearer` or the cookie that the gateway ' +
      'forwards. The user is described by the headers X-Auth-User-Id, X-Auth-Email, X-Auth-Email-Verified, ' +
      'X-Auth-Name, X-Auth-User-Type, X-Auth-Session-Id, X-Auth-Time and X-Auth-Methods; text is percent-encoded ' +
      'UTF-8. An application session is rejected unless `application` specifies its application. If the visitor ' +
      'opens a page, a 401 response contains the sign-in URL in X-Auth-Login. With `redirect=true` or the ' +
      '`X-Auth-Redirect: true` header, the response is a 302 to that URL instead.',
    tag: 'Bridge',
  },
  {
    querystring: Type.Object({
      redirect: Type.Optional(
        Type.Boolean({
          description: 'responds with a redirect to the sign-in page if a visitor who is not signed in opens a page',
        }),
      ),
      application: Type.Optional(
        Type.String({
          maxLength: 2048,
          pattern: '^[!-~]*$',
          description:
            'origin or app scheme of the application behind the gateway, such as `https://shop.example`: its ' +
            'sessions are accepted in addition to browser sessions',
        }),
      ),
      permission: Type.Optional(
        Type.String({
          maxLength: 80,
          pattern: permissionPattern,
          description: 'permission such as `invoices:write`: without it, the response is 403',
          examples: ['invoices:write'],
        }),
      ),
      resource: Type.Optional(
        Type.String({
          maxLength: 2048,
          pattern: '^[!-~]+$',
          description:
            'the identifier of the API for which an access token must have been issued; required with `token` in accept',
          examples: ['https://api.example.com'],
        }),
      ),
      accept: Type.Optional(
        Type.String({
          pattern: '^(session|api_key|token)(,(session|api_key|token)){0,2}$',
          description:
            'kinds of credentials to accept, separated by commas, such as `session,api_key`; default: `session`. ' +
            'X-Auth-Kind contains the kind, and X-Auth-Scopes, X-Auth-Key-Id and X-Auth-Service-Account-Id describe ' +
            'a key. A key of a service account has no user',
        }),
      ),
      scope: Type.Optional(
        Type.String({
          maxLength: 1024,
          pattern: '^[a-z][a-z0-9_:-]*( [a-z][a-z0-9_:-]*)*$',
          description: 'only with `accept`: scopes that a key must have, separated by spaces; sessions need the rights',
        }),
      ),
      permissions: Type.Optional(
        Type.Boolean({
          description:
            "sends the user's permissions in X-Auth-Permissions, with commas between them, if they are at most 4 KiB",
        }),
      ),
    }),
  },
  Type.Unsafe<object>(Type.Object({ success: Type.Literal(true) })),
)

export const GatewayByPostRoute = { ...GatewayRoute, operationId: 'verifyForGatewayByPost' }

/** The query and the part of the path after the prefix come from the visitor's request. */
export const GatewayForPathRoute = {
  summary: "Authenticate a request for a gateway, followed by the visitor's path",
  tags: ['Bridge'],
}

export const GatewayByOptionsRoute = { ...GatewayForPathRoute, querystring: GatewayRoute.querystring }
