// Keeps the entered values of a form that is submitted after the session has ended. When the user returns to the form
// after signing in, the values are entered again. Secrets are never kept. forget-texts.js removes the values.
const { user, kept: note } = document.getElementById('content').dataset
const key = `text ${user} form`
const kinds = { checkbox: 'checked', radio: 'checked', password: '', hidden: '', file: '', submit: '', button: '' }
const fieldsOf = (form) =>
  [...form.elements]
    .filter(({ name, type, dataset, autocomplete }) => {
      return name && kinds[type] !== '' && autocomplete !== 'one-time-code' && !('secret' in dataset)
    })
    .map((field) => {
      if (field.options) {
        const was = [...field.options].find((option) => option.defaultSelected) ?? field.options[0]
        return { field, member: 'value', was: was?.value }
      }
      if (kinds[field.type] !== 'checked') return { field, member: 'value', was: field.defaultValue }
      // The value can be the id or the version of what is chosen.
      return { field, member: 'checked', was: field.defaultChecked, choice: field.value }
    })
const forms = [...document.querySelectorAll('#content form[method="post"]')]
const actionOf = (form) => form.getAttribute('action')

for (const form of forms)
  form.addEventListener('submit', () => {
    const values = fieldsOf(form).map(({ field, member, was, choice }) => {
      return { name: field.name, was, is: field[member], choice }
    })
    if (values.every(({ was, is }) => was === is)) return
    sessionStorage.setItem(key, JSON.stringify({ action: actionOf(form), values }))
  })

const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null')
const target = kept && forms.find((form) => actionOf(form) === kept.action)
if (target) {
  sessionStorage.removeItem(key)
  const line = document.createElement('p')
  line.className = 'small muted'
  line.setAttribute('role', 'status')
  target.before(line)
  // The page's other scripts must listen to the events first.
  queueMicrotask(() => {
    const fields = fieldsOf(target)
    kept.values.forEach(({ name, was, is, choice }, index) => {
      const { field, member, was: isNow, choice: choiceNow } = fields[index] ?? {}
      // A value that was changed elsewhere meanwhile is not overwritten.
      if (field?.name !== name || isNow !== was || is === was || choiceNow !== choice) return
      field[member] = is
      field.dispatchEvent(new Event('input', { bubbles: true }))
      // Screen readers announce the text because the element was empty before.
      line.textContent = note
    })
    if (line.textContent === '') return line.remove()
    const fold = target.closest('details')
    if (fold) fold.open = true
  })
}
