// Signs in with a passkey: by the button, or from the identifier field, in which browsers offer passkeys. If the browser
// does not support passkeys, the page hides the button and shows a notice.
import { tellBrowser } from './signal-passkeys.js'

const settings = JSON.parse(document.getElementById('settings').textContent)
const button = document.getElementById('passkey')
const problem = document.getElementById('problem')
const canAsk = window.PublicKeyCredential?.parseRequestOptionsFromJSON !== undefined

if (!canAsk) {
  button.hidden = true
  document.querySelector('#others.scripted')?.setAttribute('hidden', '')
}

// Challenges are valid for five minutes, so the field gets a new one after four.
const renewal = 4 * 60_000
let waiting
let askedAt = -renewal

button.addEventListener('click', async () => {
  waiting?.abort()
  problem.hidden = true
  button.setAttribute('aria-disabled', 'true')
  try {
    await signIn(await post('/auth/passkey/login/options'), {})
  } catch {
    showProblem()
  } finally {
    button.setAttribute('aria-disabled', 'false')
  }
})

if (settings.autofill && canAsk)
  PublicKeyCredential.isConditionalMediationAvailable?.().then((isAvailable) => {
    if (!isAvailable) return
    document.addEventListener('visibilitychange', offer)
    setInterval(offer, renewal)
    // The first paint must not wait for the request.
    new PerformanceObserver(offer).observe({ type: 'paint', buffered: true })
  })

async function offer() {
  const isEarly = performance.now() - askedAt < renewal
  if (document.visibilityState !== 'visible' || isEarly) return
  askedAt = performance.now()
  waiting?.abort()
  const mine = new AbortController()
  waiting = mine
  try {
    const asked = await post('/auth/passkey/login/options')
    if (mine.signal.aborted) return
    await signIn(asked, { mediation: 'conditional', signal: mine.signal })
  } catch (error) {
    // The user may close the browser's prompt at any time. Only a response that was rejected is worth a message.
    if (error.isRejection) showProblem()
  }
}

async function signIn({ challenge_id, options }, how) {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const response = (await navigator.credentials.get({ publicKey, ...how })).toJSON()
  try {
    const { requires_2fa } = await post('/auth/passkey/login', { challenge_id, response })
    await tellBrowser()
    location.assign(requires_2fa ? settings.secondStep : settings.next)
  } catch (error) {
    if (error.body?.unknown_credential)
      await PublicKeyCredential.signalUnknownCredential?.({ rpId: options.rpId, credentialId: response.id })
    throw error
  }
}

function showProblem() {
  problem.textContent = settings.refused
  problem.hidden = false
}

async function post(path, body = {}) {
  const reply = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  })
  const json = await reply.json()
  if (!reply.ok) throw Object.assign(new Error(path), { isRejection: true, body: json })
  return json
}
