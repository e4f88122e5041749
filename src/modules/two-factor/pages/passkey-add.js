// Creates a passkey on the page that asks for its name. If the service rejects the request or the browser does not
// support passkeys, the form is submitted so that the service shows the reason.
const { setUpPath } = JSON.parse(document.getElementById('settings').textContent)
const form = document.getElementById('add-passkey')
const answerForm = document.getElementById('passkey-form')
const problem = document.getElementById('problem')

if (window.PublicKeyCredential?.parseCreationOptionsFromJSON)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    problem.hidden = true
    createPasskey(form.querySelector('button'))
  })

async function createPasskey(button) {
  button.setAttribute('aria-disabled', 'true')
  const started = await setUp(form.elements.name.value.trim())
  if (!started) return form.submit()
  try {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(started.options)
    const credential = await navigator.credentials.create({ publicKey })
    answerForm.elements.method_id.value = started.method_id
    answerForm.elements.response.value = JSON.stringify(credential)
    answerForm.submit()
  } catch {
    problem.hidden = false
    button.setAttribute('aria-disabled', 'false')
  }
}

async function setUp(name) {
  const reply = await fetch(setUpPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(name ? { name } : {}),
  })
  return reply.ok ? reply.json() : undefined
}
