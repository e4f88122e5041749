export interface SignInUrlOptions {
  /** Where people come back to: an address that ALLOWED_REDIRECTS of the service has. */
  returnTo?: string
  /** Comes back unchanged, beside the code. */
  state?: string
  /** S256 of the code verifier: people come back with a code that a back end redeems. */
  codeChallenge?: string
  /** `login` asks signed-in people again; `none` shows no page, and comes back with an error instead. */
  prompt?: 'login' | 'none'
  /** Seconds since the last proof after which people are asked again. */
  maxAge?: number
  loginHint?: string
  /** Languages in the order of preference, such as `es en`. */
  uiLocales?: string
  /** Begins with the registration. */
  screen?: 'register'
}

/** The address of the sign-in page. */
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
