import { callback } from './callback.ts'
import { readOptions, type WardenryOptions } from './options.ts'
import { type HandoverCode, type Redeemed, redeemForApp } from './redeem.ts'
import { pathOf, type RequestLike, readRequest } from './request.ts'
import { getSession, type Rule, requireUser, sessionOf } from './require-user.ts'
import type { User, ValidatedSession } from './session.ts'
import { sessionSource } from './session-source.ts'
import { type SignInOptions, signIn } from './sign-in.ts'
import { type SignOutOptions, signOut } from './sign-out.ts'
import { usedStates } from './used-states.ts'

/** A Wardenry service, as an application uses it. */
export interface Wardenry {
  /**
   * The user of a request, or undefined when nobody is signed in, and for a change with the cookie from a foreign page.
   * Rejects with a `WardenryError` when the service cannot be asked: answer the request with 503 then.
   */
  userOf(request: RequestLike): Promise<User | undefined>
  /** The same with the session. */
  sessionOf(request: RequestLike): Promise<ValidatedSession | undefined>
  /**
   * The session of a request that may pass, or the answer to send in its place: a redirect to the sign-in page for a
   * navigation, 401 for any other request without a session, 403 for a user who may not pass, 503 when nobody knows.
   */
  requireUser(request: RequestLike, rule?: Rule): Promise<ValidatedSession | Response>
  /** The session of a request that may pass. Rejects with a `WardenryError` that says why any other may not. */
  getSession(request: RequestLike, rule?: Rule): Promise<ValidatedSession>
  /** Sends the browser to the sign-in page. */
  signIn(request: RequestLike, options?: SignInOptions): Response
  /** Where the sign-in page sends the browser back to. */
  callback(request: RequestLike): Promise<Response>
  /**
   * Exchanges the code that an app has received for a session of the app, one of `applications`. Rejects with the
   * `WardenryError` `INVALID_CODE` when it is not valid.
   */
  redeem(code: HandoverCode): Promise<Omit<Redeemed, 'authenticatedAt'>>
  /** Ends the session; for POST requests of the application's own pages. */
  signOut(request: RequestLike, options?: SignOutOptions): Promise<Response>
  /** Answers requests for the paths of signing in and out, and leaves others alone. */
  handle(request: RequestLike): Promise<Response | undefined>
  /** Ends the connection to the service. */
  close(): void
}

/** `createWardenry({ url, bridgeSecret, appUrl })`: once, at the start of the application. */
export function createWardenry(options: WardenryOptions): Wardenry {
  const settings = readOptions(options)
  const source = options.source ?? sessionSource(settings)
  const used = usedStates()
  const sessionOfRequest = async (request: RequestLike) => sessionOf(settings, source, readRequest(request))
  const wardenry: Wardenry = {
    sessionOf: sessionOfRequest,
    userOf: async (request) => (await sessionOfRequest(request))?.user,
    requireUser: (request, rule) => requireUser(settings, source, readRequest(request), rule),
    getSession: (request, rule) => getSession(settings, source, readRequest(request), rule),
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
