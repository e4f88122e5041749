import { quoted, type Sample } from './sample.ts'

export const spa: Sample = {
  spa: ({ issuer, clientId, scope, origin, redirectUri }) => `// npm install oidc-client-ts
import { UserManager } from ${quoted('oidc-client-ts')}

export const userManager = new UserManager({
  authority: ${quoted(issuer)},
  client_id: ${quoted(clientId)},
  redirect_uri: ${quoted(redirectUri)},
  post_logout_redirect_uri: ${quoted(`${origin}/`)},
  scope: ${quoted(scope)},
  loadUserInfo: true,
  automaticSilentRenew: true,
})

// The page at the redirect address calls signinRedirectCallback. Others call getUser, and signinRedirect without a user.
if (location.href.startsWith(${quoted(`${redirectUri}?`)})) await userManager.signinRedirectCallback()
`,
}
