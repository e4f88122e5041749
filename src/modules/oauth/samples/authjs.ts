import { quoted, type Sample } from './sample.ts'

export const authjs: Sample = {
  web: ({ issuer, clientId, scope }) => `// npm install next-auth@beta
// auth.ts. The handlers belong in app/api/auth/[...nextauth]/route.ts. AUTH_SECRET is required as well.
import NextAuth from ${quoted('next-auth')}

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'wardenry',
      name: 'Wardenry',
      type: 'oidc',
      issuer: ${quoted(issuer)},
      clientId: ${quoted(clientId)},
      clientSecret: process.env.CLIENT_SECRET,
      authorization: { params: { scope: ${quoted(scope)} } },
      checks: ['pkce', 'state'],
    },
  ],
})
`,
}
