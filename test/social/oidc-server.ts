import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

export interface Claims {
  sub: string
  email?: string
  email_verified?: unknown
  given_name?: string
  family_name?: string
  picture?: string
}

export interface OidcServer {
  issuer: string
  /** The settings of a service that uses the provider. */
  env: { OIDC_ISSUER: string; OIDC_CLIENT_ID: string; OIDC_CLIENT_SECRET: string }
  /** The provider's users, by subject. Tests can add and change users. */
  people: Map<string, Claims>
  /** Signs in as this subject, as a browser would, and returns the callback URL. */
  signIn(url: string, subject: string): Promise<URL>
  /** Signs in through one of the operator's apps, and returns the code that the app receives at its redirect URI. */
  appCode(subject: string, nonce?: string): Promise<AppCode>
  idToken(subject: string, nonce?: string): Promise<string>
  /** The number of code exchange requests. */
  tokenRequests(): number
  stop(): Promise<void>
}

export interface AppCode {
  code: string
  code_verifier: string
  redirect_uri: string
}

export const oidcClient = { id: 'wardenry', secret: 'oidc-Lq82mXv5RkT0yWc3NdB7sHfJ1gPaE9uZ' }

const usualRedirectUri = 'http://localhost:3000/auth/social/oidc/callback'

/** Starts the certified provider `oidc-provider` on a loopback port. By default, for the `PUBLIC_URL` of a test app. */
export async function startOidcServer(
  redirectUri = usualRedirectUri,
  { claimsOf = (sub: string): Claims => ({ sub }) } = {},
): Promise<OidcServer> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const people = new Map<string, Claims>()
  const provider = new Provider(issuer, {
    clients: [{ client_id: oidcClient.id, client_secret: oidcClient.secret, redirect_uris: [redirectUri, appUri] }],
    claims: {
      email: ['email', 'email_verified'],
      profile: ['given_name', 'family_name', 'picture'],
    },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...(people.get(sub) ?? claimsOf(sub)) }) }),
    cookies: { keys: ['a key for the cookies of this test'] },
    pkce: { required: () => true },
  })
  let tokenRequests = 0
  server.on('request', ({ method, url }) => {
    if (method === 'POST' && url === '/token') tokenRequests++
  })
  server.on('request', provider.callback())
  return {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: oidcClient.id, OIDC_CLIENT_SECRET: oidcClient.secret },
    people,
    signIn: (url, subject) => signIn(url, subject, redirectUri),
    appCode: (subject, nonce) => appCode(issuer, subject, nonce),
    idToken: async (subject, nonce) => {
      const body = new URLSearchParams({ grant_type: 'authorization_code', ...(await appCode(issuer, subject, nonce)) })
      const authorization = `Basic ${Buffer.from(`${oidcClient.id}:${oidcClient.secret}`).toString('base64')}`
      const reply = await fetch(`${issuer}/token`, { method: 'POST', body, headers: { authorization } })
      return ((await reply.json()) as { id_token: string }).id_token
    },
    tokenRequests: () => tokenRequests,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const appUri = 'http://localhost:4999/app'

async function appCode(issuer: string, subject: string, nonce?: string): Promise<AppCode> {
  const code_verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: oidcClient.id,
    response_type: 'code',
    redirect_uri: appUri,
    scope: 'openid email profile',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(nonce && { nonce }),
  })
  const back = await signIn(`${issuer}/auth?${query}`, subject, appUri)
  return { code: back.searchParams.get('code') ?? '', code_verifier, redirect_uri: appUri }
}

/** The login and consent pages are the development pages of `oidc-provider`, which accept any user. */
async function signIn(start: string, subject: string, redirectUri: string): Promise<URL> {
  const cookies = new Map<string, string>()
  const ask = async (url: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } })
    for (const line of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    await reply.arrayBuffer()
    return new URL(reply.headers.get('location') ?? '', url)
  }
  let at = await ask(start)
  for (const prompt of ['login', 'consent', 'none', 'none', 'none']) {
    if (at.href.startsWith(redirectUri)) return at
    const form = new URLSearchParams({ prompt, login: subject, password: 'any' })
    const isPage = at.pathname.startsWith('/interaction/')
    at = isPage ? await ask(await ask(at.href, { method: 'POST', body: form }).then(String)) : await ask(at.href)
  }
  if (at.href.startsWith(redirectUri)) return at
  throw new Error(`the way ended at ${at.href}`)
}
