import type { components } from './api.ts'
import { page } from './authenticator.ts'

type PasskeySignal = components['schemas']['PasskeySignal']

/** Gives the browser the user's passkeys and name (Signal API), so that it forgets passkeys that were removed. */
export async function signalPasskeys(read: () => Promise<{ signal: PasskeySignal | null }>): Promise<void> {
  const { PublicKeyCredential: browser } = page
  if (!browser?.signalAllAcceptedCredentials) return
  // Without a list, a passkey is being created, which the browser would forget.
  const { signal } = await read()
  if (!signal || !isPageOf(signal.rp_id)) return
  const { rp_id: rpId, user_id: userId, name, display_name: displayName } = signal
  await browser.signalAllAcceptedCredentials({ rpId, userId, allAcceptedCredentialIds: signal.credential_ids })
  await browser.signalCurrentUserDetails?.({ rpId, userId, name, displayName })
}

/** Pages on other domains may be allowed to use the passkeys, but not to change them. */
function isPageOf(rpId: string): boolean {
  const host = page.location?.hostname
  return host === rpId || host?.endsWith(`.${rpId}`) === true
}
