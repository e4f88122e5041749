import { judge } from './password-strength.js'

// A field for a password that is to be chosen: it can be shown, and is judged while it is typed.
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
  // Browsers remember what was typed into a text field, and offer it to the next person.
  field.form.addEventListener('submit', () => show(false))
}

for (const line of document.querySelectorAll('[data-judges]')) {
  const field = document.getElementById(line.dataset.judges)
  const address = field.form.elements.email
  const words = line.querySelector('[role=status]')
  const problems = JSON.parse(line.dataset.problems)
  let waiting
  // Said when it changes, not with every letter.
  const say = (bar, said) => {
    line.dataset.level = bar
    if (words.textContent !== said) words.textContent = said
  }
  // The service has lists that are too long for a page.
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

/** Which rule of the service a password breaks; nothing, too, when it does not answer: it judges once more anyway. */
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
