export interface SignInUrlOptions {
  /** The return address. The service's ALLOWED_REDIRECTS must allow it. */
  returnTo?: string
  /** Returned unchanged together with the code. */
  state?: string
  /** S256 of the code verifier. The browser returns with a code that a back end exchanges for a session. */
  codeChallenge?: string
  /** `login` asks signed-in users to sign in again. `none` shows no page and returns with an error instead. */
  prompt?: 'login' | 'none'
  /** Maximum age of the last authentication in seconds. If it is exceeded, the user must authenticate again. */
  maxAge?: number
  loginHint?: string
  /** Languages in order of preference, such as `es en`. */
  uiLocales?: string
  /** `register` starts with the registration page. */
  screen?: 'register'
}

/** The URL of the sign-in page. */
export function signInUrl(service: string, options: SignInUrlOptions = {}): string {
  const { returnTo, state, codeChallenge, prompt, maxAge, loginHint, uiLocales, screen } = options
  const url = new URL(`${service}/login`)
  const members = {
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
  for (const [name, value] of Object.entries(members)) if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}
