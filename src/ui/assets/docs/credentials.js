import { el, field } from './dom.js'
import { credentialHeaders } from './request.js'
import { fill } from './schema.js'
import { signedInAs, texts } from './settings.js'

const secretInput = () => el('input', { type: 'password', autocomplete: 'off', spellcheck: 'false' })

const inputs = { session: secretInput(), bridge: secretInput() }

/** The inputs for the session token and the bridge secret. The page does not store these values. */
export function credentialsPanel() {
  const form = el('form', {}, field(texts.session, inputs.session), field(texts.bridge, inputs.bridge))
  form.addEventListener('submit', (event) => event.preventDefault())
  return el(
    'details',
    { class: 'credentials' },
    el('summary', {}, texts.credentials),
    el('p', { class: 'small muted' }, signedInAs ? fill(texts.signedInAs, { name: signedInAs }) : texts.signedOut),
    el('p', { class: 'small muted' }, texts.credentialsText),
    form,
  )
}

export function credentialHeadersNow() {
  const filled = Object.entries(inputs).filter(([, input]) => input.value !== '')
  return Object.fromEntries(filled.map(([name, input]) => [credentialHeaders[name], input.value.trim()]))
}

export function rememberSession(value) {
  inputs.session.value = value
}
