// Tells the browser which passkeys the account has, and its current name. The browser forgets the others. This must not
// delay or prevent what the page does next.
export async function tellBrowser() {
  if (!window.PublicKeyCredential?.signalAllAcceptedCredentials) return
  const late = new Promise((resolve) => setTimeout(resolve, 1000))
  await Promise.race([late, signalPasskeys().catch(() => {})])
}

async function signalPasskeys() {
  const reply = await fetch('/auth/passkeys', { headers: { Accept: 'application/json' } })
  const { signal } = await reply.json()
  if (!signal || !isOfDomain(signal.rp_id)) return
  const { rp_id: rpId, user_id: userId, name, display_name: displayName } = signal
  await PublicKeyCredential.signalAllAcceptedCredentials({
    rpId,
    userId,
    allAcceptedCredentialIds: signal.credential_ids,
  })
  await PublicKeyCredential.signalCurrentUserDetails?.({ rpId, userId, name, displayName })
}

// Pages of related origins can use the passkeys, but the list is for the domain's own pages.
const isOfDomain = (id) => location.hostname === id || location.hostname.endsWith(`.${id}`)
