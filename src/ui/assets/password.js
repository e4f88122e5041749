import { judge } from './password-strength.js'

// Field for a new password. The user can show the password, and its strength is displayed while typing.
const bars = { short: 1, weak: 1, fair: 3, strong: 4 }

for (const button of document.querySelectorAll('[data-reveals]')) {
  const field = document.getElementById(button.dataset.reveals)
  const show = (isVisible) => {
    const { show, hide, showLabel, hideLabel } = button.dataset
    field.type = isVisible ? 'text' : 'password'
    button.textContent = isVisible ? hide : show
    button.setAttribute('aria-label', isVisible ? hideLabel : showLabel)
  }
  button.addEventListener('click', () => show(field.type === 'password'))
  // Hides the password before sending it because browsers remember the values of text fields.
  field.form.addEventListener('submit', () => show(false))
}

for (const line of document.querySelectorAll('[data-judges]')) {
  const field = document.getElementById(line.dataset.judges)
  const address = field.form.elements.email
  const words = line.querySelector('[role=status]')
  const problems = JSON.parse(line.dataset.problems)
  let waiting
  // Screen readers announce the text only when it changes.
  const say = (bar, said) => {
    line.dataset.level = bar
    if (words.textContent !== said) words.textContent = said
  }
  // Asks the service because only it has the lists of known passwords.
  const ask = async () => {
    const password = field.value
    const rule = await brokenRule({ password, email: address?.value ?? '' })
    if (rule && password === field.value) say(bars.weak, problems[rule])
  }
  const show = () => {
    const given = address?.value ?? ''
    const known = [...line.dataset.words.split('\n'), given, given.split('@')[0]]
    const level = judge(field.value, { shortest: Number(line.dataset.shortest), words: known })
    const isEmpty = field.value === ''
    say(isEmpty ? 0 : bars[level], isEmpty ? '' : line.dataset[level])
    clearTimeout(waiting)
    if (level === 'fair' || level === 'strong') waiting = setTimeout(ask, 300)
  }
  field.addEventListener('input', show)
  address?.addEventListener('input', show)
}

/** Returns undefined if the service does not respond. The service checks the password again when the form is sent. */
async function brokenRule(asked) {
  try {
    const reply = await fetch('/auth/password-check', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      body: JSON.stringify(asked),
    })
    return (await reply.json()).rule
  } catch {
    return undefined
  }
}
