import assert from 'node:assert/strict'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { FetchFailed, type GuardedFetch } from '../../src/adapters/fetch/port.ts'

export interface SentRequest {
  method: string
  url: URL
  headers: Headers
  body: string
  /** The request body, parsed as a form. */
  form: URLSearchParams
}

type Answer = (asked: SentRequest) => object | Response | Promise<object | Response>

/** The servers that the service may contact, by URL. Requests to other URLs fail. */
export function fakeInternet() {
  const answers = new Map<string, Answer>()
  const asked: SentRequest[] = []
  const fetch: GuardedFetch = async (text, { method = 'GET', headers, body = '' }, policy) => {
    const url = new URL(text)
    assert.ok(policy.hosts.includes(url.host), `${url.host} is not allowed`)
    const request = { method, url, headers: new Headers(headers), body, form: new URLSearchParams(body) }
    asked.push(request)
    const answer = answers.get(`${method} ${url.origin}${url.pathname}`)
    if (!answer) throw new FetchFailed(`${url.host} cannot be reached`)
    const reply = await answer(request)
    return reply instanceof Response ? reply : Response.json(reply)
  }
  return { fetch, asked, on: (where: string, answer: Answer) => answers.set(where, answer) }
}

export type Internet = ReturnType<typeof fakeInternet>

const keys = await generateKeyPair('RS256', { extractable: true })

/** Signs claims with the fake issuers' key. */
export const signed = (
  claims: JWTPayload,
  kid = 'one',
  alg = 'RS256',
  key: Parameters<SignJWT['sign']>[0] = keys.privateKey,
): Promise<string> =>
  new SignJWT({ iat: Math.floor(Date.now() / 1000), exp: Math.floor(Date.now() / 1000) + 600, ...claims })
    .setProtectedHeader({ alg, kid })
    .sign(key)

export const publicKey = async (more: object = {}) => ({
  ...(await exportJWK(keys.publicKey)),
  kid: 'one',
  alg: 'RS256',
  use: 'sig',
  ...more,
})

interface Issuer {
  /** The issuer as in the discovery document. */
  issuer: string
  discovery: string
  token: string
  authorization: string
  more?: object
  key?: object
}

/** An OpenID Connect provider whose token endpoint returns the result of `idToken`. */
export function fakeIssuer(internet: Internet, { issuer, discovery, token, authorization, more, key }: Issuer) {
  const state: { claims: JWTPayload; tokenAsked: SentRequest | undefined } = { claims: {}, tokenAsked: undefined }
  const jwks = `${new URL(token).origin}/keys-of-this-test`
  internet.on(`GET ${discovery}`, () => ({
    issuer,
    authorization_endpoint: authorization,
    token_endpoint: token,
    jwks_uri: jwks,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_post'],
    ...more,
  }))
  internet.on(`GET ${jwks}`, async () => ({ keys: [await publicKey(key)] }))
  internet.on(`POST ${token}`, async (asked) => {
    state.tokenAsked = asked
    return {
      access_token: 'an-access-token',
      token_type: 'Bearer',
      expires_in: 3600,
      id_token: await signed(state.claims),
    }
  })
  return state
}
