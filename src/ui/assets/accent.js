// The colour field and the text field show the same colour. Other text leaves the colour field as it was at first, so
// the text counts.
const [picked, before] = ['accent_picked', 'accent_before'].map((name) => document.querySelector(`[name=${name}]`))
const typed = document.querySelector('[name=APP_ACCENT], [name=accent]')
const accentNote = document.getElementById('accent-note')
const noteDelay = 400
let noteTimer

picked?.addEventListener('input', () => {
  typed.value = picked.value
  updateNote()
})
typed?.addEventListener('input', () => {
  if (picked) picked.value = /^#[0-9a-f]{6}$/i.test(typed.value) ? typed.value : before.value
  updateNote()
})

/** The note is about one colour, so it is removed until the service has checked the new one. */
function updateNote() {
  if (!accentNote) return
  accentNote.textContent = ''
  clearTimeout(noteTimer)
  const started = setTimeout(async () => {
    const fields = new URLSearchParams([...new FormData(typed.form), ['view', 'accent']])
    const reply = await fetch(accentNote.dataset.path, { method: 'POST', body: fields }).catch(() => undefined)
    const text = reply?.headers.get('content-type')?.startsWith('text/plain') ? await reply.text() : ''
    if (noteTimer === started) accentNote.textContent = text
  }, noteDelay)
  noteTimer = started
}
