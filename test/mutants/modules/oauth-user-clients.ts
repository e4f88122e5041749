import type { Mutant } from '../list.ts'

const test = 'test/modules/oauth/user-clients.test.ts'
const publicClients = 'test/modules/oauth/public-clients.test.ts'
const publicClient = 'src/modules/oauth/client-authentication/public-client.ts'
const folder = 'src/modules/oauth/clients'
const terms = `${folder}/assert-terms.ts`
const input = `${folder}/sign-in-input.ts`

export const mutants: Mutant[] = [
  {
    rule: 'the sign-in members of a client fit its type',
    file: input,
    from: '!isHarmless && !types.includes(type)',
    to: '!isHarmless && types.length === 0',
    test,
  },
  {
    rule: 'no native client signs users in without their consent',
    file: input,
    from: "  trusted: ['web', 'spa'],\n",
    to: '  trusted: userClientTypes,\n',
    test,
  },
  {
    rule: 'only web applications do without PKCE',
    file: input,
    from: "  require_pkce: ['web'],\n",
    to: '  require_pkce: userClientTypes,\n',
    test,
  },
  {
    rule: 'the post-logout addresses of a client follow the rules of redirect addresses',
    file: input,
    from: "    post_logout_uris: redirects('post_logout_uris'),\n",
    to: '    post_logout_uris: input.post_logout_uris,\n',
    test,
  },
  {
    rule: 'an administrator gives clients of users no scopes above their own permissions',
    file: terms,
    from: `  assertScopes(
    [...allowed, ...profileScopes],
    terms.scopes.filter((scope) => !isOidcScope(scope)),
  )
`,
    to: '',
    test,
  },
  {
    rule: 'the scopes of clients of users are those of their resources',
    file: terms,
    from: '!scope.startsWith(ownPrefix) && !known.includes(scope)',
    to: '!scope.startsWith(ownPrefix) && !known.includes(scope) && !allowed.includes(scope)',
    test,
  },
  {
    rule: 'the permission that users of a client need is one of its application',
    file: terms,
    from: 'permissionsOf([terms.application_id]).includes(required)',
    to: 'permissions.some(({ key }) => key === required)',
    test,
  },
  {
    rule: 'claims of a module that is not installed are no scopes',
    file: 'src/modules/oauth/oidc-scopes.ts',
    from: "!onboardingScopes.includes(scope) || modules.isInstalled('onboarding')",
    to: 'modules !== undefined',
    test: 'test/modules/oauth/clients.test.ts',
  },
  {
    rule: 'clients without a secret get none later',
    file: `${folder}/secrets.ts`,
    from: "client.auth_method === 'none'",
    to: "client.client_id === ''",
    test,
  },
  {
    rule: 'clients without a secret get none when they are created',
    file: `${folder}/change-clients.ts`,
    from: "auth_method === 'none' ? undefined : await addSecret(tx, id, brought)",
    to: 'await addSecret(tx, id, brought)',
    test,
  },
  {
    rule: 'the type of a client determines how it authenticates',
    file: `${folder}/change-clients.ts`,
    from: 'auth_method !== undefined && auth_method !== needed.auth_method',
    to: 'auth_method === undefined',
    test,
  },
  {
    rule: 'the pages that call the token endpoint are encrypted or on loopback',
    file: `${folder}/client-addresses.ts`,
    from: "url && (url.protocol === 'https:' || isLocal(url))",
    to: 'url',
    test,
  },
  {
    rule: 'the address that is called when a session ends is encrypted or on loopback',
    file: `${folder}/client-addresses.ts`,
    from: "url.protocol === 'https:' || (!isProduction && isLocal(url))",
    to: "url.protocol === 'https:' || !isProduction",
    test,
  },
  {
    rule: 'only clients without a secret name themselves',
    file: publicClient,
    from: 'isPublic(client) ? client?.id : undefined',
    to: 'client?.id',
    test: publicClients,
  },
  {
    rule: 'clients without a secret cannot introspect tokens',
    file: publicClient,
    from: " || !acceptingRoutes.includes(routeOptions.url ?? '')",
    to: '',
    test: publicClients,
  },
  {
    rule: 'a client that sends a proof is not taken for one without a secret',
    file: publicClient,
    from: "headers.authorization !== undefined || client_secret !== ''",
    to: 'false',
    test: publicClients,
  },
  {
    rule: 'no secret authenticates a client without one',
    file: 'src/modules/oauth/client-authentication/client-secret.ts',
    from: "client?.authMethod === 'client_secret' ? client.secrets : []",
    to: 'client?.secrets ?? []',
    test: publicClients,
  },
  {
    rule: 'others do not use up the limit of a client without a secret',
    file: 'src/modules/oauth/client-authentication/authenticate-client.ts',
    from: 'isPublic(client) ? `${clientKey(client)} ${addressKey(clientAddress)}` : clientKey(client)',
    to: 'clientAddress && clientKey(client)',
    test: publicClients,
  },
  {
    rule: 'only origins of clients may call shared routes',
    file: 'src/http/server/not-found.ts',
    from: 'origin !== undefined && (await shared.allows(origin))',
    to: 'origin !== undefined',
    test: publicClients,
  },
  {
    rule: 'the origins of a disabled application may not call shared routes',
    file: 'src/modules/oauth/client-authentication/share-with-pages.ts',
    from: 'applications.ofKey(key)?.isEnabled',
    to: 'applications.ofKey(key)',
    test: publicClients,
  },
  {
    rule: 'the origins of a disabled client may not call shared routes',
    file: 'src/modules/oauth/directory-queries.ts',
    from: ' AND c.is_enabled AND c.deleted_at IS NULL GROUP BY',
    to: ' GROUP BY',
    test: publicClients,
  },
  {
    rule: 'shared routes grant other origins nothing, and no cookies',
    file: 'src/http/server/edge.ts',
    from: ' || shared.has(url)',
    to: '',
    test: publicClients,
  },
  {
    rule: 'preflights of shared routes grant the origins of other routes nothing',
    file: 'src/http/server/not-found.ts',
    from: "  for (const name of ['origin', 'credentials']) reply.removeHeader(`access-control-allow-${name}`)\n",
    to: '',
    test: publicClients,
  },
  {
    rule: 'a response of a shared route is read by the origins of its own client only',
    file: 'src/http/access/sharing.ts',
    from: 'origin !== undefined && request.sharedWith?.includes(origin)',
    to: 'origin !== undefined && request.sharedWith',
    test: publicClients,
  },
  {
    rule: 'the claims of a user are read by pages of the client of the token only',
    file: 'src/modules/oauth/userinfo/routes.ts',
    from: 'request.sharedWith = known?.signIn.allowedOrigins',
    to: 'request.sharedWith = [request.headers.origin ?? String(known)]',
    test: publicClients,
  },
]
