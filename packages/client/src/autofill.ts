import { page } from './authenticator.ts'
import { WardenryError } from './error.ts'
import type { RequestOptions } from './passkey-json.ts'

export interface SignInChallenge {
  challenge_id: string
  options: RequestOptions
}

export interface Autofill {
  /** Until the browser's dialog for another ceremony closes: only one can be open. */
  pause(): void
  resume(): void
  end(): void
}

interface Ceremonies<Result> {
  begin(): Promise<SignInChallenge>
  /** Waits until the user chooses a passkey. */
  finish(challenge: SignInChallenge, ceremony: { signal: AbortSignal; mediation: 'conditional' }): Promise<Result>
  onSignIn(result: Result): unknown
  onError?: ((error: WardenryError) => unknown) | undefined
}

interface VisiblePage {
  visibilityState: string
  addEventListener(type: 'visibilitychange', listener: () => void): void
  removeEventListener(type: 'visibilitychange', listener: () => void): void
}

/** In milliseconds. Challenges are valid for five minutes. */
const renewal = 4 * 60_000
const checkInterval = 15_000

export const canAutofill = async (): Promise<boolean> =>
  'document' in globalThis && (await page.PublicKeyCredential?.isConditionalMediationAvailable?.()) === true

/** Offers passkeys in the form's field until a user has signed in. Renews the challenge while the page is visible. */
export function startAutofill<Result>({ begin, finish, onSignIn, onError }: Ceremonies<Result>): Autofill {
  const { document } = globalThis as unknown as { document: VisiblePage }
  let state: 'offering' | 'paused' | 'ended' = 'offering'
  let offered: AbortController | undefined
  let challenge: Promise<SignInChallenge> | undefined
  let begunAt = Number.NEGATIVE_INFINITY

  const isOld = () => Date.now() - begunAt >= renewal

  function current(): Promise<SignInChallenge> {
    if (challenge && !isOld()) return challenge
    begunAt = Date.now()
    const begun = begin()
    challenge = begun
    begun.catch(() => {
      if (challenge === begun) challenge = undefined
    })
    return begun
  }

  async function ask(own: AbortSignal): Promise<Result | undefined> {
    try {
      const begun = await current()
      if (own.aborted) return undefined
      return await finish(begun, { signal: own, mediation: 'conditional' })
    } catch (error) {
      // Users may close the browser's list, and the offer may be withdrawn at any time.
      if (own.aborted || (error instanceof WardenryError && error.code === 'PASSKEY_CANCELLED')) return undefined
      if (!(error instanceof WardenryError)) throw error
      onError?.(error)
      renew()
      return undefined
    }
  }

  async function offer(): Promise<void> {
    offered?.abort()
    offered = new AbortController()
    const result = await ask(offered.signal)
    if (result === undefined) return
    end()
    onSignIn(result)
  }

  /** Also after the computer was asleep, when timers are late. */
  function renew(): void {
    if (state === 'offering' && isOld() && document.visibilityState === 'visible') offer()
  }

  function end(): void {
    state = 'ended'
    clearInterval(timer)
    document.removeEventListener('visibilitychange', renew)
    offered?.abort()
  }

  const timer = setInterval(renew, checkInterval)
  document.addEventListener('visibilitychange', renew)
  renew()
  return {
    pause() {
      if (state === 'offering') state = 'paused'
      offered?.abort()
    },
    resume() {
      if (state !== 'paused') return
      state = 'offering'
      offer()
    },
    end,
  }
}
