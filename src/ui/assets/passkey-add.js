// Creates a passkey in one step. If the service rejects the request or the browser does not support passkeys, the form is
// submitted without a passkey, so that the service shows the reason.
const settings = JSON.parse(document.getElementById('settings').textContent)
const form = document.getElementById('add-passkey')
const problem = document.getElementById('problem')

if (window.PublicKeyCredential?.parseCreationOptionsFromJSON)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    problem.hidden = true
    createPasskey(form.querySelector('button'))
  })

async function createPasskey(button) {
  if (button.getAttribute('aria-disabled') === 'true') return
  button.setAttribute('aria-disabled', 'true')
  const started = await start()
  if (!started) return form.submit()
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(started.options)
    const credential = await navigator.credentials.create({ publicKey })
    form.elements.response.value = JSON.stringify(credential)
    form.submit()
  } catch (error) {
    problem.textContent = error.name === 'InvalidStateError' ? settings.exists : settings.refused
    problem.hidden = false
    button.setAttribute('aria-disabled', 'false')
  }
}

async function start() {
  const reply = await fetch('/auth/passkeys/options', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ action: 'add' }),
  })
  return reply.ok ? reply.json() : undefined
}
