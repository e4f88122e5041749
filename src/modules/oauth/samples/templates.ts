import { isLocal } from '../../../applications/application-set.ts'
import type { SignInInput } from '../clients/sign-in-input.ts'
import type { OidcScope } from '../oidc-scopes.ts'
import type { UserClientType } from '../rows.ts'

/** What an application needs, by the host on which it runs. The sample of the same name prints its settings. */
interface ClientTemplate {
  type: UserClientType
  scopes: readonly OidcScope[]
  /** Paths of the redirect addresses. */
  paths: readonly string[]
  members?: SignInInput
}

const profile = ['openid', 'profile', 'email'] as const
const withRoles = [...profile, 'roles'] as const

const templates = {
  grafana: {
    type: 'web',
    scopes: withRoles,
    paths: ['/login/generic_oauth'],
    members: { groups_claim: true },
  },
  gitea: {
    type: 'web',
    scopes: withRoles,
    paths: ['/user/oauth2/wardenry/callback'],
    // Gitea sends no challenge.
    members: { groups_claim: true, require_pkce: false },
  },
  nextcloud: {
    type: 'web',
    scopes: withRoles,
    paths: ['/apps/user_oidc/code', '/index.php/apps/user_oidc/code'],
    // It reads only the ID token.
    members: { groups_claim: true, id_token_claims: true },
  },
  apache: { type: 'web', scopes: profile, paths: ['/oidc/callback'] },
  authjs: {
    type: 'web',
    scopes: profile,
    paths: ['/api/auth/callback/wardenry'],
    // It reads only the ID token.
    members: { id_token_claims: true },
  },
  spring: {
    type: 'web',
    scopes: profile,
    paths: ['/login/oauth2/code/wardenry'],
    // Before version 7, Spring Security sends a challenge only for clients without a secret. It always sends a nonce.
    members: { require_pkce: false },
  },
  spa: { type: 'spa', scopes: profile, paths: ['/callback'] },
  'ios-android': { type: 'native', scopes: profile, paths: ['/oauth2redirect'] },
} as const satisfies Record<string, ClientTemplate>

export const templateNames = Object.keys(templates) as (keyof typeof templates)[]

/** The members of a client that is created for the application on this host, such as `grafana.example.com`. */
export function fromTemplate(name: keyof typeof templates, host: string) {
  const { type, scopes, paths, members = {} }: ClientTemplate = templates[name]
  const origin = originOf(host)
  const start = type === 'native' ? `${host.split('.').toReversed().join('.')}:` : origin
  return {
    ...{ type, name: `${name} on ${host}`, scopes: [...scopes], ...members },
    redirect_uris: paths.map((path) => start + path),
    ...(type !== 'native' && { post_logout_uris: [`${origin}/`] }),
    ...(type === 'spa' && { allowed_origins: [origin] }),
  }
}

/** Unencrypted only on the developer's own machine. */
function originOf(host: string): string {
  const url = URL.parse(`https://${host}`)
  if (url?.host !== host) throw new Error('--host must be the host of the application, such as app.example.com')
  const local = new URL(`http://${host}`)
  return isLocal(local) ? local.origin : url.origin
}
