// Refreshes the previews while the user types, and at once if the form contains values that are not stored. Without this
// script, the buttons of the previews refresh them.
const form = document.querySelector('form[data-preview]')
const pause = 600
const shown = new Map()
let timer

for (const button of form.querySelectorAll('button[formtarget]')) {
  if (!shown.has(button.formTarget)) show(button)
  button.addEventListener('click', () => show(button))
}

function show(button) {
  shown.set(button.formTarget, button)
  for (const one of form.querySelectorAll(`button[formtarget="${button.formTarget}"]`))
    one.ariaPressed = String(one === button)
}

form.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(refresh, pause)
})

if (form.dataset.preview === 'draft') refresh()

async function refresh() {
  for (const [name, button] of shown) {
    const frame = form.querySelector(`iframe[name="${name}"]`)
    // The first page of a new frame adds no entry to the history of the window.
    const fresh = frame.cloneNode()
    fresh.removeAttribute('src')
    frame.replaceWith(fresh)
    // A second submission would cancel the first one if it had not finished.
    const loaded = new Promise((resolve) => fresh.addEventListener('load', resolve, { once: true }))
    form.requestSubmit(button)
    await loaded
  }
}
