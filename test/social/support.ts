import assert from 'node:assert/strict'
import type { Reply, TestApp } from '../support/test-app.ts'
import type { OidcServer } from './oidc-server.ts'

/** A sign-in with a provider that has reached the redirect to the service's callback. */
export interface Visit {
  /** The path and query of the callback URL. */
  callback: string
  state: string
  flow: string
  cookie: string
}

/** Starts a sign-in. Returns the URL that the browser is redirected to, and the flow cookie's value. */
export async function started(app: TestApp, provider: string, query = ''): Promise<{ url: URL; flow: string }> {
  const reply = await app.get(`/auth/social/${provider}/login${query}`, { headers: { accept: 'text/html' } })
  assert.equal(reply.status, 302, reply.text)
  return { url: new URL(String(reply.headers.location)), flow: reply.cookies.oauth_flow?.value ?? '' }
}

export const visitOf = (back: URL, flow: string): Visit => ({
  callback: `${back.pathname}${back.search}`,
  state: back.searchParams.get('state') ?? '',
  flow,
  cookie: `oauth_flow=${flow}`,
})

/** Starts a sign-in with the provider and signs in there as `subject`. Does not request the callback. */
export async function visited(app: TestApp, server: OidcServer, subject: string, query = ''): Promise<Visit> {
  const { url, flow } = await started(app, 'oidc', query)
  return visitOf(await server.signIn(url.href, subject), flow)
}

export const visitCallback = (
  app: TestApp,
  { callback, cookie }: Visit,
  more: Record<string, string> = {},
): Promise<Reply> => app.get(callback, { headers: { accept: 'text/html', cookie, ...more } })

/** Completes a sign-in in a browser. */
export const signedInBy = async (app: TestApp, server: OidcServer, subject: string): Promise<Reply> =>
  visitCallback(app, await visited(app, server, subject))

/** Completes a sign-in with `format=json`. The response contains the session. */
export const jsonSignIn = async (app: TestApp, server: OidcServer, subject: string): Promise<Reply> => {
  const { callback, cookie } = await visited(app, server, subject)
  return app.get(`${callback}&format=json`, { headers: { cookie } })
}

/** The query parameters that the front end receives. */
export const toldFrontEnd = (reply: Reply): Record<string, string> => {
  assert.equal(reply.status, 302, reply.text)
  const url = new URL(String(reply.headers.location))
  assert.equal(`${url.origin}${url.pathname}`, 'http://localhost:3000/login')
  return Object.fromEntries(url.searchParams)
}
