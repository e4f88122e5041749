import Type from 'typebox'
import { credentialKinds } from '../context/credentials.ts'
import { maxResource, maxScope, maxScopes, permissionField, scopePattern } from './read-gateway.ts'
import { maxMethods } from './sign-in-methods.ts'

export const ruleMembers = {
  sign_in_methods: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: maxMethods,
      description:
        'ways to sign in that the application accepts: `password`, `passkey`, `email`, `sms`, or the name of a provider, ' +
        'such as `google`. At least one must be on in the settings. Empty, the default: all',
      examples: [['passkey', 'google']],
    }),
  ),
  registration: Type.Optional(
    Type.Boolean({
      description: 'whether users may register on the way to the application, if the settings allow it; default: true',
    }),
  ),
  gateway_accept: Type.Optional(
    Type.Array(Type.Unsafe<string>({ type: 'string', enum: [...credentialKinds] }), {
      maxItems: credentialKinds.length,
      description:
        'kinds of credentials that are accepted at /auth/verify/for*, with a bridge secret of the application, because ' +
        "the query there is the visitor's; empty, the default: sessions",
      examples: [['session', 'api_key']],
    }),
  ),
  gateway_scope: Type.Optional(
    Type.Array(Type.String({ maxLength: maxScope, pattern: scopePattern }), {
      maxItems: maxScopes,
      description: 'scopes that keys and tokens must have there; sessions need the rights',
    }),
  ),
  gateway_resource: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      maxLength: maxResource,
      keepNull: true,
      description:
        'identifier of the API for which tokens must have been issued; required if `gateway_accept` contains `token`, ' +
        'otherwise null, the default',
      examples: ['https://api.example.com'],
    }),
  ),
  gateway_permission: Type.Optional(
    Type.Unsafe<string | null>({
      ...permissionField,
      description: 'permission such as `invoices:write` that is required there; null, the default: none',
    }),
  ),
}
