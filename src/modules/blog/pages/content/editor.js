// Keeps unsaved text in this tab, and uploads a picture dropped on the page. The editor works without this script.
// The script never saves a post.
const { writer, post, version } = JSON.parse(document.getElementById('settings').textContent)
// keep-values.js and forget-texts.js remove texts by this prefix.
const key = `text ${writer} ${post}`
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

const [title, body] = texts
const isNew = version === '' && document.querySelector('[role=alert], #preview') === null
if (isNew) title.focus({ preventScroll: true })

// Otherwise, the Enter key would submit the form.
title.enterKeyHint = 'next'
title.addEventListener('keydown', (event) => {
  if (event.key !== 'Enter' || event.isComposing) return
  event.preventDefault()
  body.focus()
})

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
