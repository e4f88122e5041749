// Keeps unsaved text in this tab, and uploads a picture dropped on the page. The editor works without this script.
// The script never saves a post.
const { key, version } = JSON.parse(document.getElementById('settings').textContent)
const form = document.getElementById('editor')
const texts = ['title', 'body', 'excerpt'].map((id) => document.getElementById(id))
const current = () => Object.fromEntries(texts.map(({ id, value }) => [id, value]))
const stored = JSON.parse(sessionStorage.getItem(key) ?? 'null')
const differs = stored && texts.some(({ id, value }) => stored.text[id] !== value)

if (differs && stored.version === version && document.querySelector('[role=alert]') === null) {
  const note = document.getElementById('kept')
  note.hidden = false
  document.getElementById('take-kept').addEventListener('click', () => {
    for (const input of texts) input.value = stored.text[input.id]
    note.hidden = true
    texts[0].focus()
  })
}

// Focuses the title of a new post, except on touch screens, where the keyboard would cover the page.
const isNew = version === '' && document.querySelector('[role=alert], #preview') === null
if (isNew && matchMedia('(hover: hover) and (pointer: fine)').matches) texts[0].focus({ preventScroll: true })

let timer
form.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(() => sessionStorage.setItem(key, JSON.stringify({ version, text: current() })), 500)
})

const panel = document.getElementById('picture-panel')
panel?.addEventListener('dragover', (event) => {
  event.preventDefault()
  panel.classList.add('over')
})
panel?.addEventListener('dragleave', () => panel.classList.remove('over'))
panel?.addEventListener('drop', (event) => {
  event.preventDefault()
  panel.classList.remove('over')
  if (event.dataTransfer.files.length === 0) return
  document.getElementById('image').files = event.dataTransfer.files
  sessionStorage.setItem(key, JSON.stringify({ version, text: current() }))
  document.getElementById('picture-form').requestSubmit()
})
