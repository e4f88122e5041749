// Fills a form with the response of a passkey, which is created first if the settings say so. If the page contains no
// options, they are requested when the user presses the button.
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
    const options = settings.create ?? (await request(settings.ask))
    const isNew = settings.create || settings.ask.creates
    const credential = isNew ? await create(options) : await get(options)
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

const get = (options) =>
  navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })

async function request({ path, body }) {
  const reply = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  })
  return (await reply.json()).options
}
