import { callback } from './callback.ts'
import type { ValidatedCredential } from './credential.ts'
import { credentialOf } from './get-credential.ts'
import { sessionOf } from './get-session.ts'
import type { WardenryOptions } from './options.ts'
import { readOptions } from './read-options.ts'
import { type HandoverCode, type Redeemed, redeemForApp } from './redeem.ts'
import { pathOf, type RequestLike, readRequest } from './request.ts'
import { getPermitted, requireUser } from './require-user.ts'
import { type CredentialOptions, type CredentialRule, checkedCredentialOptions, type Rule, ruleOf } from './rule.ts'
import type { User, ValidatedSession } from './session.ts'
import { sessionSource } from './session-source.ts'
import { type SignInOptions, signIn } from './sign-in.ts'
import { type SignOutOptions, signOut } from './sign-out.ts'
import { usedStates } from './used-states.ts'

/** The functions through which an application uses a Wardenry service. */
export interface Wardenry {
  /**
   * The user who sent the request. Undefined if the visitor is not signed in, or if a cross-origin page sent a request
   * that can change data. Rejects with a `WardenryError` with status 503 if the service is unreachable.
   */
  userOf(request: RequestLike): Promise<User | undefined>
  /** Like `userOf`, but returns the session along with its user. */
  sessionOf(request: RequestLike): Promise<ValidatedSession | undefined>
  /**
   * The session or API key that the request presents or, if `resource` is this API's identifier, the access token. A key or
   * token in `Authorization` decides even if the request contains a cookie. Undefined if there is none, if it is rejected,
   * or if a cross-origin page sent a request that can change data with a cookie. Rejects with a `WardenryError` with status
   * 503 if the service is unreachable.
   */
  credentialOf(request: RequestLike, options?: CredentialOptions): Promise<ValidatedCredential | undefined>
  /**
   * Returns the session if the request is permitted. Otherwise, returns the response to send: a redirect to the sign-in
   * page if a visitor opens a page and must sign in or authenticate again, 401 for other requests without a session,
   * 403 if the rule forbids the session or the request comes from a cross-origin page, or 503 if the service is
   * unreachable. With `kinds`, returns the session, API key or access token; a rejected key or token is answered with 401 or 403.
   */
  requireUser(request: RequestLike, rule: CredentialRule): Promise<ValidatedCredential | Response>
  requireUser(request: RequestLike, rule?: Rule): Promise<ValidatedSession | Response>
  /** Returns the session if the request is permitted. Otherwise, rejects with a `WardenryError` that explains why. */
  getSession(request: RequestLike, rule: CredentialRule): Promise<ValidatedCredential>
  getSession(request: RequestLike, rule?: Rule): Promise<ValidatedSession>
  /** Redirects the browser to the sign-in page. */
  signIn(request: RequestLike, options?: SignInOptions): Response
  /** Handles the return from the sign-in page. */
  callback(request: RequestLike): Promise<Response>
  /**
   * Exchanges an app's code for a session in that app. The app must be listed in `applications`. Rejects with the
   * `WardenryError` `INVALID_CODE` if the code is invalid.
   */
  redeem(code: HandoverCode): Promise<Omit<Redeemed, 'authenticatedAt'>>
  /**
   * Ends the session. Accepts only POST requests that come from pages of this application or of `trustedOrigins`, or
   * that carry the session token in a header.
   */
  signOut(request: RequestLike, options?: SignOutOptions): Promise<Response>
  /** Handles requests to the sign-in, callback and sign-out paths. Returns undefined for all other requests. */
  handle(request: RequestLike): Promise<Response | undefined>
  /**
   * Closes the event stream from the service. Call this only when the application shuts down: sessions cannot be
   * validated afterwards.
   */
  close(): void
}

/** Call `createWardenry({ url, bridgeSecret, appUrl })` once, when the application starts. */
export function createWardenry(options: WardenryOptions): Wardenry {
  const settings = readOptions(options)
  const source = options.source ?? sessionSource(settings)
  const used = usedStates()
  const sessionOfRequest = async (request: RequestLike) => sessionOf(settings, source, readRequest(request))
  const wardenry: Wardenry = {
    sessionOf: sessionOfRequest,
    userOf: async (request) => (await sessionOfRequest(request))?.user,
    credentialOf: async (request, options = {}) =>
      credentialOf(settings, source, readRequest(request), checkedCredentialOptions(options)),
    requireUser: (async (request: RequestLike, ...rules: unknown[]) =>
      requireUser(settings, source, readRequest(request), ruleOf(rules))) as Wardenry['requireUser'],
    getSession: (async (request: RequestLike, ...rules: unknown[]) =>
      getPermitted(settings, source, readRequest(request), ruleOf(rules))) as Wardenry['getSession'],
    signIn: (request, options) => signIn(settings, readRequest(request), options),
    callback: (request) => callback(settings, readRequest(request), used),
    async redeem(code) {
      const { sessionToken, user } = await redeemForApp(settings, code)
      return { sessionToken, user }
    },
    signOut: (request, options) => signOut(settings, readRequest(request), options),
    async handle(request) {
      const incoming = readRequest(request)
      const path = pathOf(incoming)
      if (path === settings.paths.signOut) return signOut(settings, incoming)
      if (incoming.method !== 'GET') return undefined
      if (path === settings.paths.signIn) return signIn(settings, incoming)
      return path === settings.paths.callback ? callback(settings, incoming, used) : undefined
    },
    close: () => source.close(),
  }
  return wardenry
}
