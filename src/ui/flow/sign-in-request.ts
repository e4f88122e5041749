import type { Context } from '../../context.ts'
import { allowedReturnAddress } from '../../http/responses/redirects.ts'
import { second } from '../../lib/time.ts'
import type { SignInFlow } from './flow.ts'
import { signInQuery } from './schemas.ts'

export type SignInQuery = { [Name in keyof typeof signInQuery]?: string }

export const screens = { login: '/login', register: '/register', mail: '/login/mail', forgot: '/forgot' } as const
export type SignInScreen = keyof typeof screens

export interface SignInRequest {
  flow: Omit<SignInFlow, 'id'>
  screen: SignInScreen | undefined
  /** Language tags in order of preference. */
  locales: string[]
}

export interface WrongParameter {
  wrong: keyof SignInQuery
}

export const asksForSignIn = (query: SignInQuery): boolean =>
  Object.keys(signInQuery).some((name) => query[name as keyof SignInQuery] !== undefined)

export function readSignIn(
  targets: Pick<Context, 'config' | 'applications'>,
  query: SignInQuery,
  now: number,
): SignInRequest | WrongParameter {
  const { state, code_challenge: codeChallenge, prompt, screen, login_hint: loginHint, ui_locales = '' } = query
  const returnTo = allowedReturnAddress(targets, query.return_to)
  const rules: [keyof SignInQuery, boolean][] = [
    ['return_to', query.return_to === undefined ? !needsReturn(query) : returnTo !== undefined],
    // The application must be able to distinguish its own parameters from those of the response.
    ['return_to', codeChallenge === undefined || !hasResponseMember(returnTo)],
    ['state', state === undefined || /^[\x20-\x7e]{1,512}$/.test(state)],
    ['code_challenge', codeChallenge === undefined || /^[A-Za-z0-9_-]{43}$/.test(codeChallenge)],
    ['code_challenge_method', isMethod(query)],
    ['prompt', prompt === undefined || prompt === 'none' || prompt === 'login'],
    ['max_age', query.max_age === undefined || /^\d{1,9}$/.test(query.max_age)],
    ['login_hint', loginHint === undefined || (loginHint.length <= 254 && !/[\p{C}]/u.test(loginHint))],
    ['ui_locales', ui_locales.length <= 200],
    ['screen', screen === undefined || Object.hasOwn(screens, screen)],
  ]
  const broken = rules.find(([, holds]) => !holds)
  if (broken) return { wrong: broken[0] }
  const provenSince = provenSinceOf(query, now)
  return {
    flow: {
      startedAt: now,
      ...(returnTo !== undefined && { returnTo }),
      ...(state !== undefined && { state }),
      ...(codeChallenge !== undefined && { codeChallenge }),
      ...(provenSince !== undefined && { provenSince }),
      ...(provenSince !== undefined && { maxAge: now - provenSince }),
      ...(prompt === 'none' && { silent: true }),
      ...(loginHint && { loginHint }),
    },
    screen: screen as SignInScreen | undefined,
    locales: ui_locales.split(' ').filter(Boolean),
  }
}

/** Whether the request has parameters that require a return address. */
const needsReturn = ({ state, code_challenge, code_challenge_method, prompt, max_age }: SignInQuery): boolean =>
  [state, code_challenge, code_challenge_method, max_age].some((value) => value !== undefined) || prompt === 'none'

const hasResponseMember = (returnTo = 'about:blank'): boolean =>
  ['code', 'state', 'error'].some((name) => new URL(returnTo).searchParams.has(name))

const isMethod = ({ code_challenge, code_challenge_method: method }: SignInQuery): boolean =>
  method === undefined || (method === 'S256' && code_challenge !== undefined)

/** The earliest accepted authentication. Fixed at the start, so that time spent in the flow does not count. */
function provenSinceOf({ prompt, max_age }: SignInQuery, now: number): number | undefined {
  if (prompt === 'login') return now
  return max_age === undefined ? undefined : now - Number(max_age) * second
}
