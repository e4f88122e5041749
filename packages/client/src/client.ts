import createFetch from 'openapi-fetch'
import type { paths } from './api.ts'
import type { Call, Method } from './call.ts'
import { callable, checkOptions, either, type Members, oneOf, text, withFunctions } from './check-options.ts'
import { cookieNotKept, errorOf, unreachable, WardenryError } from './error.ts'
import { type PasskeyFunctions, passkeyFunctions } from './passkeys.ts'
import { type SessionChange, sessionChanges } from './session-changes.ts'
import {
  assertCredentials,
  type Credentials,
  credentialsBody,
  type PasskeyRequired,
  proofBody,
  proofMembers,
  type SecondFactor,
  type SignedIn,
  type SignInResult,
  type User,
} from './sign-in.ts'
import { type SignInUrlOptions, signInUrl } from './sign-in-url.ts'

/** Stores the session token, for example in a phone's keychain, if cookies are not available. */
export interface SessionStore {
  get(): string | null | undefined | Promise<string | null | undefined>
  set(sessionToken: string): unknown
  remove(): unknown
}

export interface ClientOptions {
  /** The service's PUBLIC_URL. */
  url: string
  /** `cookie` (default): the browser stores the session token in a cookie that scripts cannot read. */
  session?: 'cookie' | SessionStore | undefined
  fetch?: ((request: Request) => Promise<Response>) | undefined
}

export interface WardenryClient extends PasskeyFunctions {
  get: Call<'get'>
  post: Call<'post'>
  put: Call<'put'>
  delete: Call<'delete'>
  /**
   * The signed-in user, or null if the visitor is not signed in. Rejects if this cannot be determined, for example
   * because the service is unreachable.
   */
  currentUser(): Promise<User | null>
  signIn(credentials: Credentials): Promise<SignInResult>
  /** Signs out. Also succeeds if the session has already ended. */
  signOut(): Promise<void>
  /**
   * Calls the listener after a sign-in or sign-out in this tab or another tab of the same browser. Returns a function
   * that removes the listener.
   */
  onChange(listener: (change: SessionChange) => void): () => void
  /** The URL of the service's sign-in page. */
  signInUrl(options?: SignInUrlOptions): string
}

interface Init {
  body?: unknown
  params?: object
  headers?: Record<string, string>
}

interface SessionResponse {
  success?: boolean
  requires_2fa?: boolean
  passkey_required?: boolean
  user?: unknown
  sessionId?: string
  expiresAt?: string
  available_methods?: SecondFactor[]
}

const members: Members<ClientOptions> = {
  url: text,
  session: either(oneOf('cookie'), withFunctions('get', 'set', 'remove')),
  fetch: callable,
}

/** Creates a client for a service. Works in browsers, Node.js and React Native. */
export function createClient(options: ClientOptions): WardenryClient {
  checkOptions('createClient', options ?? null, members)
  const { url, session = 'cookie', fetch } = options
  const service = url.replace(/\/+$/, '')
  const store = session === 'cookie' ? undefined : session
  const api = createFetch<paths>({
    baseUrl: service,
    credentials: store ? 'omit' : 'include',
    ...(fetch && { fetch }),
  })
  const changes = sessionChanges(service)
  // Scripts cannot read the cookie, so the sign-in state is taken from the service's responses.
  let isSignedIn = false
  changes.listen((change) => {
    isSignedIn = change === 'signed_in'
  })

  async function call(method: Method, path: string, { headers, ...init }: Init = {}): Promise<unknown> {
    const token = headers?.['X-Session-ID'] ?? (await store?.get())
    const request = {
      ...init,
      // Only JSON responses are parsed, so that files and feeds are returned unchanged.
      parseAs: 'stream',
      headers: { Accept: 'application/json', ...(token && { 'X-Session-ID': token }), ...headers },
    }
    const send = api.request as unknown as (method: Method, path: string, init: object) => Promise<FetchResult>
    const { response, error } = await send(method, path, request).catch((cause) => {
      throw unreachable(cause)
    })
    if (!response.ok) throw await rejected(errorOf(response, error), headers?.['X-Session-ID'] === undefined)
    if (!response.headers.get('content-type')?.includes('json')) return response
    const reply = await response.json().catch((cause) => {
      throw unreachable(cause)
    })
    await notice(method, path, reply as SessionResponse)
    return reply
  }

  /**
   * Removes the stored session if the error means that the session has ended. `isKept` is false for a partial session,
   * which is not stored.
   */
  async function rejected(error: WardenryError, isKept: boolean): Promise<WardenryError> {
    if (!isKept || !hasEnded(error)) return error
    const wasKept = store ? await store.get() : isSignedIn
    if (wasKept) {
      await store?.remove()
      changes.tell('signed_out')
    }
    return error
  }

  /** Registering an account also starts a session, and deleting an account also ends one. */
  async function notice(method: Method, path: string, reply: SessionResponse): Promise<void> {
    if (endsSession(method, path)) {
      await store?.remove()
      changes.tell('signed_out')
    }
    // After a second factor, `success` is true even if a passkey is still required.
    if (method !== 'post' || reply.success !== true || reply.passkey_required || reply.sessionId === undefined) return
    await store?.set(reply.sessionId)
    // The session of a recovery only accepts a new passkey.
    if (path === '/auth/refresh' || path === '/auth/recovery') return
    if (!store) await assertCookieKept(reply.sessionId)
    changes.tell('signed_in')
  }

  /** A browser ignores the cookie of a service on another site, and scripts cannot see whether it has the cookie. */
  async function assertCookieKept(sessionToken: string): Promise<void> {
    const origin = (globalThis as { location?: { origin: string } }).location?.origin
    if (origin === undefined) return
    try {
      await call('get', '/auth/me')
    } catch (error) {
      if (!(error instanceof WardenryError) || error.code !== 'INVALID_SESSION') return
      // Nobody could use or end this session.
      await api.POST('/auth/logout', { headers: { 'X-Session-ID': sessionToken } }).catch(() => {})
      throw cookieNotKept(service, origin, error)
    }
  }

  function resultOf(reply: SessionResponse): SignInResult {
    if (reply.passkey_required) return passkeyRequired(reply)
    if (!reply.requires_2fa || reply.success) return signedIn(reply)
    const headers = partialSession(reply)
    return {
      status: 'second_factor_required',
      methods: reply.available_methods ?? [],
      start: async ({ id, method }) => {
        const init = { params: { path: { method } }, body: { method_id: id }, headers }
        return (await call('post', '/auth/two_factor/{method}/start', init)) as { options?: unknown }
      },
      verify: async (proof) => {
        checkOptions('verify', proof ?? null, proofMembers)
        const init = { body: proofBody(proof), headers }
        const verified = (await call('post', '/auth/two_factor/verify', init)) as SessionResponse
        return verified.passkey_required ? passkeyRequired(verified) : signedIn(verified)
      },
    }
  }

  const passkeyRequired = (reply: SessionResponse): PasskeyRequired => ({
    status: 'passkey_required',
    addPasskey: async (options) => addRequired(as('post', partialSession(reply)), options),
  })

  const as = <M extends Method>(method: M, headers?: Record<string, string>): Call<M> =>
    ((path: string, init?: Init) => call(method, path, { ...init, ...(headers && { headers }) })) as unknown as Call<M>
  const [get, post] = [as('get'), as('post')]
  const { endAutofill, addRequired, ...passkeys } = passkeyFunctions({ get, post, signedIn })
  changes.listen((change) => {
    if (change === 'signed_in') endAutofill()
  })

  return {
    ...passkeys,
    get,
    post,
    put: as('put'),
    delete: as('delete'),
    async currentUser() {
      try {
        const { success, user } = (await call('get', '/auth/me')) as SessionResponse
        isSignedIn = success === true
        return success ? (user as User) : null
      } catch (error) {
        if (error instanceof WardenryError && hasEnded(error)) return null
        throw error
      }
    },
    async signIn(credentials) {
      assertCredentials(credentials)
      const path = credentials.password === undefined ? '/auth/token/login' : '/auth/login'
      return resultOf((await call('post', path, { body: credentialsBody(credentials) })) as SessionResponse)
    },
    async signOut() {
      try {
        await call('post', '/auth/logout')
      } catch (error) {
        if (!(error instanceof WardenryError) || !hasEnded(error)) throw error
      }
    },
    onChange: changes.listen,
    signInUrl: (options) => signInUrl(service, options),
  }
}

interface FetchResult {
  response: Response
  error?: unknown
}

/** Partial sessions are not stored, so their requests name them. */
const partialSession = ({ sessionId = '' }: SessionResponse) => ({ 'X-Session-ID': sessionId })

const hasEnded = ({ code }: WardenryError): boolean => code === 'INVALID_SESSION' || code === 'SESSION_EXPIRED'

const endsSession = (method: Method, path: string): boolean =>
  (method === 'post' && path === '/auth/logout') || (method === 'delete' && path === '/auth/user/me')

function signedIn({ success, user, expiresAt = '' }: SessionResponse): SignedIn {
  if (success !== true || !user) throw unreachable(new Error('the response does not describe a session'))
  return { status: 'signed_in', user: user as User, expiresAt }
}
