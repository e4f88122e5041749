import {
  createWardenry,
  type SignInOptions,
  type Wardenry,
  type WardenryOptions,
} from '../../../packages/server/src/index.ts'

export const serviceUrl = 'https://id.example.com'
export const appUrl = 'https://shop.example'
export const bridgeSecret = 'bridge-Yw83mQz7LrT5wYc1NdB8sHfJ2gPaE4uK'
export const sessionToken = `ses_${'a'.repeat(43)}`
export const otherToken = `ses_${'b'.repeat(43)}`

export const ada = {
  id: '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf',
  email: 'ada@example.com',
  name: 'Ada',
  last_name: 'Lovelace',
  user_name: 'ada',
  user_type: 'customer',
  picture: '',
  phone: '',
  is_verified: true,
  two_factor: false,
}

export interface SentRequest {
  path: string
  search: string
  headers: Headers
  body: Record<string, unknown>
}

type Answer = [status: number, body: object] | Error

/** Replaces `fetch`. By default, it responds as the service would. A test can specify other responses. */
export interface Wire {
  asked: SentRequest[]
  answers: Record<string, Answer>
  fetch: typeof fetch
}

export function wire(): Wire {
  const asked: SentRequest[] = []
  const answers: Record<string, Answer> = {
    '/auth/bridge/validate': [200, { success: true, results: [{ success: false, code: 'INVALID_SESSION' }] }],
    '/auth/bridge/redeem': [200, { success: true, user: ada, session_id: sessionToken }],
    '/auth/logout': [200, { success: true }],
  }
  return {
    asked,
    answers,
    async fetch(url, init) {
      const { pathname: path, search } = new URL(String(url))
      asked.push({ path, search, headers: new Headers(init?.headers), body: JSON.parse(String(init?.body)) })
      const answer = answers[path]!
      if (answer instanceof Error) throw answer
      return new Response(JSON.stringify(answer[1]), { status: answer[0] })
    },
  }
}

/** Makes the service accept this session. */
export function letIn(answers: Wire['answers'], members: object = {}): void {
  const times = { expires_at: new Date(Date.now() + 60_000).toISOString(), timestamp: new Date().toISOString() }
  const result = { success: true, user: ada, session: { id: 's', application: appUrl }, age: 0, ...times, ...members }
  answers['/auth/bridge/validate'] = [200, { success: true, results: [result] }]
}

export function application(options: Partial<WardenryOptions> = {}): { wardenry: Wardenry } & Wire {
  const service = wire()
  const wardenry = createWardenry({
    url: serviceUrl,
    appUrl,
    bridgeSecret,
    fetch: service.fetch,
    // Without a cache, every validation queries the service, and no stream is opened.
    maxSessions: 0,
    onError: () => {},
    ...options,
  })
  return { wardenry, ...service }
}

/** A browser's request. */
export function browserRequest(path: string, headers: Record<string, string> = {}, method = 'GET'): Request {
  const own = { accept: 'text/html', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }
  return new Request(appUrl + path, { method, headers: { ...own, ...headers } })
}

/** The name and value of each cookie that a browser would store. */
export const kept = (response: Response): string[] =>
  response.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!)

/** A browser that has started a sign-in, just before it returns. */
export function begun(wardenry: Wardenry, returnTo = '/orders?page=2', options: SignInOptions = {}) {
  const response = wardenry.signIn(browserRequest(returnTo), { returnTo, ...options })
  const location = new URL(response.headers.get('location')!)
  const state = location.searchParams.get('state')!
  const cookie = kept(response).join('; ')
  return {
    response,
    location,
    state,
    cookie,
    back: (query: string) => browserRequest(`/sign-in/callback?${query}`, { cookie }),
  }
}
