import type { Mutant } from '../list.ts'

const test = 'test/modules/oauth/user-clients.test.ts'
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
]
