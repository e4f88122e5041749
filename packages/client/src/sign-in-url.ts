import { checkOptions, type Members, oneOf, text, wholeNumber } from './check-options.ts'

export interface SignInUrlOptions {
  /** The URL that the browser returns to after the sign-in. The service's ALLOWED_REDIRECTS must allow it. */
  returnTo?: string | undefined
  /** A value that the service adds unchanged to the return URL. */
  state?: string | undefined
  /**
   * The S256 code challenge (RFC 7636) for the code verifier. If set, the browser returns with a code that a back end
   * exchanges for a session.
   */
  codeChallenge?: string | undefined
  /**
   * `login` makes signed-in users authenticate again. `none` shows no page: if a page is needed, the browser returns
   * with the error `login_required`.
   */
  prompt?: 'login' | 'none' | undefined
  /** The maximum age of the last authentication in seconds. Users whose authentication is older must reauthenticate. */
  maxAge?: number | undefined
  loginHint?: string | undefined
  /** Languages in order of preference, such as `es en`. */
  uiLocales?: string | undefined
  /** `register` shows the registration page instead of the sign-in page. */
  screen?: 'register' | undefined
}

const members: Members<SignInUrlOptions> = {
  returnTo: text,
  state: text,
  codeChallenge: text,
  prompt: oneOf('login', 'none'),
  maxAge: wholeNumber(0, ' of seconds'),
  loginHint: text,
  uiLocales: text,
  screen: oneOf('register'),
}

/** The URL of the service's sign-in page. */
export function signInUrl(service: string, options: SignInUrlOptions = {}): string {
  checkOptions('signInUrl', options, members)
  const { returnTo, state, codeChallenge, prompt, maxAge, loginHint, uiLocales, screen } = options
  const url = new URL(`${service}/login`)
  const parameters = {
    return_to: returnTo,
    state,
    code_challenge: codeChallenge,
    code_challenge_method: codeChallenge === undefined ? undefined : 'S256',
    prompt,
    max_age: maxAge?.toString(),
    login_hint: loginHint,
    ui_locales: uiLocales,
    screen,
  }
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
