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
  const show = () => {
    const given = address?.value ?? ''
    const known = [...line.dataset.words.split('\n'), given, given.split('@')[0]]
    const level = judge(field.value, { shortest: Number(line.dataset.shortest), words: known })
    const isEmpty = field.value === ''
    line.dataset.level = isEmpty ? 0 : bars[level]
    // Said when it changes, not with every letter.
    const said = isEmpty ? '' : line.dataset[level]
    if (words.textContent !== said) words.textContent = said
  }
  field.addEventListener('input', show)
  address?.addEventListener('input', show)
}
