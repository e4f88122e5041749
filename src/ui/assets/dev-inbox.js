const settings = JSON.parse(document.getElementById('settings').textContent)
const filter = document.getElementById('to')
const lastSeen = 'dev-inbox.newest'

// Each message causes at most one reload, even if this page does not show it.
const newest = [settings.newest, sessionStorage.getItem(lastSeen) ?? ''].sort().at(-1)

openMessage(location.hash.slice(1))

document.addEventListener('click', (event) => {
  const details = event.target.closest('summary')?.parentElement
  if (details) history.replaceState(null, '', details.open ? location.pathname + location.search : `#${details.id}`)
})

setInterval(lookForNewMessages, 2000)

async function lookForNewMessages() {
  if (document.hidden || filter.value !== filter.defaultValue) return
  const query = new URLSearchParams(Object.entries({ since: newest, to: settings.to }).filter(([, value]) => value))
  const reply = await fetch(`/dev/inbox.json?${query}`).catch(() => undefined)
  if (!reply?.ok) return
  const times = (await reply.json()).map((message) => message.created_at)
  const last = times.sort().at(-1)
  if (!last || last <= newest) return
  sessionStorage.setItem(lastSeen, last)
  location.reload()
}

function openMessage(id) {
  const message = id && document.getElementById(id)
  if (message) message.open = true
}
