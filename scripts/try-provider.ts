import { oidcClient, startOidcServer } from '../test/social/oidc-server.ts'

// An OpenID Connect provider for manual testing. Accepts any user name and email address.
const port = process.argv[2] ?? '3000'
const server = await startOidcServer(`http://localhost:${port}/auth/social/oidc/callback`, {
  claimsOf: (sub) => ({ sub, email: sub.includes('@') ? sub : `${sub}@example.com`, email_verified: true }),
})
process.stdout.write(`Start the service with these settings, then open
http://localhost:${port}/auth/social/oidc/login

OIDC_ISSUER=${server.issuer}
OIDC_CLIENT_ID=${oidcClient.id}
OIDC_CLIENT_SECRET=${oidcClient.secret}

Ctrl+C ends this provider.
`)
