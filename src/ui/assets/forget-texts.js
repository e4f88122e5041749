// When the user signs out, removes the unsaved texts and values that scripts have kept in this tab. Their names begin with `text`.
for (const form of document.querySelectorAll('form[action^="/logout"]'))
  form.addEventListener('submit', () => {
    for (const name of Object.keys(sessionStorage)) if (name.startsWith('text ')) sessionStorage.removeItem(name)
  })

// Removes those of other users, and the values of a form that was saved, that created a secret, or that the page shows
// with its problems. The page that asks whether to sign out names no user.
const { user } = document.getElementById('content')?.dataset ?? {}
const isOthers = (name) => user && name.startsWith('text ') && !name.startsWith(`text ${user} `)
for (const name of Object.keys(sessionStorage)) if (isOthers(name)) sessionStorage.removeItem(name)

const done = new URLSearchParams(location.search).get('done')
if (
  (done ?? 'confirmed') !== 'confirmed' ||
  document.querySelector('#content [role="alert"], #content [data-copy="secret"]')
)
  sessionStorage.removeItem(`text ${user} form`)
