// Shows search results while the user types. Without this script, the user submits the form.
const form = document.querySelector('form[data-search]')
const words = form.querySelector('input[type=search]')
const pause = 200
let timer
let current

words.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(search, pause)
})

async function search() {
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value !== ''))
  const address = `${form.getAttribute('action')}?${query}`
  current?.abort()
  current = new AbortController()
  try {
    const reply = await fetch(address, { headers: { accept: 'text/html' }, signal: current.signal })
    // The styles of the response are not used, and the security policy of this page would report them as violations.
    const html = (await reply.text()).replaceAll(/<style[\s\S]*?<\/style>/g, '')
    const page = new DOMParser().parseFromString(html, 'text/html')
    const found = page.getElementById(form.dataset.search)
    // If the session has ended, the response is a different page, so the browser must load it.
    if (!reply.ok || !found) return form.submit()
    document.getElementById(form.dataset.search).replaceWith(document.adoptNode(found))
    history.replaceState(null, '', address)
  } catch {
    // The user has continued typing, or the network failed. The form can still be submitted.
  }
}
