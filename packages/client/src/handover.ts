import { base64url } from './base64url.ts'
import { type ErrorCode, WardenryError } from './error.ts'
import type { SignInUrlOptions } from './sign-in-url.ts'

/** A sign-in that an app started on the service's pages. The app stores it until the user returns. */
export interface Handover {
  /** The URL to open in the system browser. */
  url: string
  returnTo: string
  state: string
  codeVerifier: string
}

/** The values that your back end needs to exchange the code for a session. */
export interface HandoverCode {
  code: string
  codeVerifier: string
  returnTo: string
}

type HandoverOptions = Omit<SignInUrlOptions, 'state' | 'codeChallenge'> & { returnTo: string }

/** Starts a sign-in. The random state and PKCE ensure that only this app can use the code. */
export async function startHandover(
  service: { signInUrl(options: SignInUrlOptions): string },
  options: HandoverOptions,
): Promise<Handover> {
  const [state, codeVerifier] = [randomText(), randomText()]
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(codeVerifier))
  const codeChallenge = base64url(new Uint8Array(digest))
  const url = service.signInUrl({ ...options, state, codeChallenge })
  return { url, returnTo: options.returnTo, state, codeVerifier }
}

/** Reads the code from the URL that opened the app. Throws `INVALID_STATE` if the URL is from a different sign-in. */
export function finishHandover({ state, codeVerifier, returnTo }: Handover, address: string): HandoverCode {
  const search = new URLSearchParams(address.split('#')[0]!.split('?')[1])
  if (search.getAll('state').join() !== state) throw rejection('INVALID_STATE', 'This belongs to another sign-in.')
  const error = search.get('error')
  if (error) throw rejection(error.toUpperCase() as ErrorCode, 'The sign-in failed.')
  const code = search.get('code')
  if (!code) throw rejection('INVALID_CODE', 'The response contains no code.')
  return { code, codeVerifier, returnTo }
}

const rejection = (code: ErrorCode, sentence: string) => new WardenryError(sentence, { code, status: 400 })

/** 256 random bits in base64url: 43 characters. */
const randomText = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))
