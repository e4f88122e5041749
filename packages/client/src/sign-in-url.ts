export interface SignInUrlOptions {
  /** The URL to which the browser returns after the sign-in. The service's ALLOWED_REDIRECTS must allow it. */
  returnTo?: string
  /** A value that the service adds unchanged to the return address. */
  state?: string
  /**
   * The S256 code challenge (RFC 7636) of the code verifier. If it is set, the browser returns with a code that a back
   * end exchanges for a session.
   */
  codeChallenge?: string
  /**
   * With `login`, signed-in users must authenticate again. With `none`, no page is shown: if a page would be needed,
   * the browser returns with the error `login_required`.
   */
  prompt?: 'login' | 'none'
  /** Maximum age of the last authentication in seconds. If it is exceeded, the user must authenticate again. */
  maxAge?: number
  loginHint?: string
  /** Languages in order of preference, such as `es en`. */
  uiLocales?: string
  /** With `register`, the registration page is shown first. */
  screen?: 'register'
}

/** The URL of the service's sign-in page. */
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
