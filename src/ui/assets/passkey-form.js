// Fills a form with a passkey's response. If the page contains creation options, the passkey is created first.
const settings = JSON.parse(document.getElementById('settings').textContent)
const form = document.getElementById('passkey-form')
const button = document.getElementById('passkey')
const problem = document.getElementById('problem')

if (!window.PublicKeyCredential?.parseCreationOptionsFromJSON) {
  button.hidden = true
  document.getElementById('without-passkey').classList.remove('unscripted')
}

button.addEventListener('click', async (event) => {
  // The button may submit the form, so that Enter in a field has the same effect.
  event.preventDefault()
  problem.hidden = true
  button.setAttribute('aria-disabled', 'true')
  try {
    const credential = settings.create ? await create(settings.create) : await ask(settings.ask)
    form.elements.response.value = JSON.stringify(credential)
    form.submit()
  } catch {
    problem.textContent = settings.refused
    problem.hidden = false
    button.setAttribute('aria-disabled', 'false')
  }
})

const create = (options) =>
  navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })

async function ask({ path, body }) {
  const reply = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  })
  const { options } = await reply.json()
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
}
