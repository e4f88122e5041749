// Signs in with a passkey. If the browser does not support passkeys, the page hides the button and shows a notice.
const settings = JSON.parse(document.getElementById('settings').textContent)
const button = document.getElementById('passkey')
const problem = document.getElementById('problem')

if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  button.hidden = true
  document.querySelector('#others.scripted')?.setAttribute('hidden', '')
  document.getElementById('without-passkey')?.classList.remove('unscripted')
}

button.addEventListener('click', async () => {
  problem.hidden = true
  button.setAttribute('aria-disabled', 'true')
  try {
    const asked = await post(settings.ask, settings.about)
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked.options)
    const response = (await navigator.credentials.get({ publicKey })).toJSON()
    const proof = asked.challenge_id ? { challenge_id: asked.challenge_id } : settings.about
    const { requires_2fa, passkey_required } = await post(settings.answer, { ...proof, response })
    if (passkey_required) location.assign(settings.addPasskey)
    else location.assign(requires_2fa ? settings.secondStep : settings.next)
  } catch {
    problem.textContent = settings.refused
    problem.hidden = false
  } finally {
    button.setAttribute('aria-disabled', 'false')
  }
})

async function post(path, body) {
  const reply = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  })
  if (!reply.ok) throw new Error(path)
  return reply.json()
}
