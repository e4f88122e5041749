import { createHash } from 'node:crypto'
import { flowVisitor, type Visitor } from '../../screens/support.ts'
import { registered, type SignedIn } from '../../support/people.ts'
import type { Reply, TestApp } from '../../support/test-app.ts'
import { basic, type MadeClient, type OAuthAdmin, postForm } from './support.ts'

export const verifier = 'v'.repeat(64)
export const challenge = createHash('sha256').update(verifier).digest('base64url')
export const redirectUri = 'https://app.example/callback'

/** A web application that signs users in. */
export async function webClient(admin: OAuthAdmin, more: object = {}): Promise<MadeClient> {
  const { id } = await admin.application()
  const scopes = ['openid', 'profile', 'email', 'phone', 'roles', 'offline_access']
  return admin.client({ application_id: id, type: 'web', name: 'Notes', redirect_uris: [redirectUri], scopes, ...more })
}

type Parameters = Readonly<Record<string, string>>

export const authorizeAddress = ({ clientId }: Pick<MadeClient, 'clientId'>, more: Parameters = {}): string => {
  const parameters = {
    ...{ client_id: clientId, redirect_uri: redirectUri, response_type: 'code', scope: 'openid profile email' },
    ...{ state: 'a state', nonce: 'a nonce', code_challenge: challenge, code_challenge_method: 'S256', ...more },
  }
  const given = Object.entries(parameters).filter(([, value]) => value !== '')
  return `/oauth/authorize?${new URLSearchParams(given)}`
}

/** A browser in which the user is signed in. */
export async function signedInVisitor(app: TestApp, user?: SignedIn): Promise<{ user: SignedIn; browser: Visitor }> {
  const known = user ?? (await registered(app))
  const browser = flowVisitor(app)
  await browser.open('/login')
  await browser.send('/login', { identifier: known.email, password: known.password })
  return { user: known, browser }
}

export const locationOf = ({ headers, text, status }: Reply): URL => {
  if (headers.location === undefined) throw new Error(`no redirect: ${status} ${text.slice(0, 400)}`)
  return new URL(String(headers.location), 'http://localhost')
}

/** Follows the redirects of the service until a page or another site. */
export async function follow(
  browser: Visitor,
  reply: Reply,
): Promise<{ reply: Reply; at: URL | undefined; page: string }> {
  let last = reply
  let page = ''
  for (let count = 0; count < 10; count++) {
    if (last.headers.location === undefined) return { reply: last, at: undefined, page }
    const at = locationOf(last)
    if (at.hostname !== 'localhost') return { reply: last, at, page }
    page = at.pathname + at.search
    last = await browser.open(page)
  }
  throw new Error('too many redirects')
}

/** With all boxes that are checked. */
const allowing = ({ text }: Reply): Record<string, string> => ({
  decision: 'allow',
  ...Object.fromEntries([...text.matchAll(/name="(scope_[^"]+)" checked/g)].map(([, name = '']) => [name, 'on'])),
})

/** Signs in to the client and allows the access, if asked. Returns the response of the authorization. */
export async function authorized(browser: Visitor, client: MadeClient, more: Parameters = {}): Promise<URL> {
  const first = await follow(browser, await browser.open(authorizeAddress(client, more)))
  if (first.at) return first.at
  const { at, reply } = await follow(browser, await browser.send('/oauth/consent', allowing(first.reply)))
  if (!at) throw new Error(`not authorized: ${reply.status} ${reply.text}`)
  return at
}

export const codeIn = (response: URL): string => response.searchParams.get('code') ?? ''

export const redeemCode = (app: TestApp, client: MadeClient, code: string, more: Parameters = {}): Promise<Reply> =>
  postForm(
    app,
    '/oauth/token',
    { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier, ...more },
    client.secret ? basic(client) : {},
  )

export const refreshWith = (app: TestApp, client: MadeClient, token: string, more: Parameters = {}): Promise<Reply> =>
  postForm(app, '/oauth/token', { grant_type: 'refresh_token', refresh_token: token, ...more }, basic(client))

/** The tokens of a user who signs in to the client. */
export async function tokensOf(
  app: TestApp,
  browser: Visitor,
  client: MadeClient,
  more: Parameters = {},
): Promise<Reply['json']> {
  const reply = await redeemCode(app, client, codeIn(await authorized(browser, client, more)))
  if (reply.status !== 200) throw new Error(reply.text)
  return reply.json
}

export const userInfo = (app: TestApp, token: string): Promise<Reply> =>
  app.get('/oauth/userinfo', { headers: { authorization: `Bearer ${token}` } })
