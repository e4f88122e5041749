const settings = JSON.parse(document.getElementById('settings').textContent)
const form = document.getElementById('setup')
const { email, name, password, token } = form.elements
const fields = { email, name, password }
const submit = document.getElementById('submit')
const reveal = document.getElementById('reveal')
const problem = document.getElementById('problem')
const submitLabel = submit.textContent
let sending = false

// The address would otherwise stay in the history with its secret.
history.replaceState(null, '', location.pathname)
form.hidden = false

reveal.addEventListener('click', () => showPassword(password.type === 'password'))

form.addEventListener('input', (event) => {
  if (event.target.name in fields) showFieldProblem(event.target.name, '')
})

form.addEventListener('submit', (event) => {
  event.preventDefault()
  if (!sending && fieldsAreFilled()) send()
})

function fieldsAreFilled() {
  showProblem('')
  showFieldProblem('email', email.validity.valid ? '' : settings.problems.email)
  showFieldProblem('password', password.value.length >= password.minLength ? '' : settings.problems.password)
  return focusFirstProblem()
}

async function send() {
  setSending(true)
  try {
    const body = { token: token.value, email: email.value.trim(), name: name.value.trim(), password: password.value }
    const reply = await fetch(settings.endpoint, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(body),
    })
    if (reply.ok) showDone()
    else showRefusal(reply.status, await reply.json())
  } catch {
    showProblem(settings.problems.offline)
  } finally {
    setSending(false)
  }
}

// The API speaks English to programs; where this page has words of its own for a refusal, it uses them.
function showRefusal(status, { error, code, details = [] }) {
  const { problems } = settings
  const own = { email: code === 'EMAIL_TAKEN' ? problems.taken : problems.email, password: problems.weak }
  for (const { field, message } of details) if (field in fields) showFieldProblem(field, own[field] ?? message)
  if (code === 'EMAIL_TAKEN') showFieldProblem('email', problems.taken)
  if (!focusFirstProblem()) return showProblem(problems.fields)
  if (status === 404 || code === 'INVALID_TOKEN') return showProblem(problems.used)
  showProblem(status === 429 ? problems.limited : error)
}

function showDone() {
  const done = document.getElementById('done')
  form.remove()
  done.hidden = false
  done.focus()
}

function showPassword(visible) {
  const [text, label] = visible ? settings.hide : settings.show
  password.type = visible ? 'text' : 'password'
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
