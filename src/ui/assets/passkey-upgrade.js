// Lets the browser create a passkey without asking the user, after a sign-in with a password. If the browser does not do
// so, nothing happens. The creation ends when the user leaves the page.
const leaving = new AbortController()
addEventListener('pagehide', () => leaving.abort())
upgrade().catch(() => {})

async function upgrade() {
  const capabilities = await window.PublicKeyCredential?.getClientCapabilities?.()
  if (capabilities?.conditionalCreate !== true) return
  const asked = await post('/auth/passkeys/upgrade/options', {})
  if (!asked.ok || leaving.signal.aborted) return
  const { options } = await asked.json()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const created = await navigator.credentials.create({ publicKey, mediation: 'conditional', signal: leaving.signal })
  const response = created.toJSON()
  const added = await post('/auth/passkeys', { response })
  // The account does not have the passkey, so the browser should not offer it.
  if (!added.ok) await PublicKeyCredential.signalUnknownCredential?.({ rpId: options.rp.id, credentialId: response.id })
}

// The browser has already stored the passkey, so the request must not end with the page.
const post = (path, body) =>
  fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
    keepalive: true,
  })
