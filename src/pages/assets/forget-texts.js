// When the user signs out, removes the unsaved texts and values that scripts have kept in this tab. Their names begin with `text`.
for (const form of document.querySelectorAll('form[action^="/logout"]'))
  form.addEventListener('submit', () => {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith('text ')) sessionStorage.removeItem(name)
  })
