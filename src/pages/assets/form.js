// A form of one page that posts its fields as JSON, and shows what the service says about them.
const settings = JSON.parse(document.getElementById('settings').textContent)
const form = document.querySelector('form')
const fields = Object.fromEntries(
  [...form.elements].filter(({ name, type }) => name && type !== 'hidden').map((field) => [field.name, field]),
)
const submit = document.getElementById('submit')
const reveal = document.getElementById('reveal')
const problem = document.getElementById('problem')
const submitLabel = submit.textContent
let sending = false

// The address would otherwise stay in the history with its secret.
history.replaceState(null, '', location.pathname)
form.hidden = false

reveal?.addEventListener('click', () => showPassword(fields.password.type === 'password'))

form.addEventListener('input', (event) => {
  if (event.target.name in fields) showFieldProblem(event.target.name, '')
})

form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (!sending && fieldsAreFilled()) send()
})

function fieldsAreFilled() {
  showProblem('')
  for (const [name, field] of Object.entries(fields))
    showFieldProblem(name, isFilled(field) ? '' : settings.problems[name])
  return focusFirstProblem()
}

// Browsers judge the length only of what was typed.
const isFilled = (field) => field.validity.valid && field.value.length >= field.minLength

async function send() {
  setSending(true)
  try {
    const reply = await fetch(settings.endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(members()),
    })
    if (reply.ok) showDone()
    else showRefusal(await reply.json())
  } catch {
    showProblem(settings.refusals.offline)
  } finally {
    setSending(false)
  }
}

const members = () =>
  Object.fromEntries(
    [...form.elements]
      .filter(({ name }) => name)
      // A password that is shown is a text field, and is not trimmed either.
      .map(({ name, value }) => [name, name === 'password' ? value : value.trim()]),
  )

// The API speaks English to programs; where this page has words of its own for a refusal, it uses them.
function showRefusal({ error, code, details = [] }) {
  const { refusals } = settings
  for (const { field, message } of details)
    if (field in fields) showFieldProblem(field, refusals[code] ?? refusals[field] ?? message)
  showProblem(focusFirstProblem() ? (refusals[code] ?? error) : refusals.fields)
}

function showDone() {
  const done = document.getElementById('done')
  form.remove()
  done.hidden = false
  done.focus()
}

function showPassword(visible) {
  const [text, label] = visible ? settings.hide : settings.show
  fields.password.type = visible ? 'text' : 'password'
  reveal.textContent = text
  reveal.setAttribute('aria-label', label)
}

function showFieldProblem(field, message) {
  const line = document.getElementById(`${field}-problem`)
  line.textContent = message
  line.hidden = message === ''
  if (message) fields[field].setAttribute('aria-invalid', 'true')
  else fields[field].removeAttribute('aria-invalid')
}

/** True when there is none. */
function focusFirstProblem() {
  const first = form.querySelector('[aria-invalid="true"]')
  first?.focus()
  return !first
}

function showProblem(message) {
  problem.textContent = message
  problem.hidden = message === ''
}

function setSending(state) {
  sending = state
  submit.setAttribute('aria-disabled', String(state))
  submit.textContent = state ? settings.sending : submitLabel
}
