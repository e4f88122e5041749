import { credentialsPanel } from './docs/credentials.js'
import { el, field } from './docs/dom.js'
import { operationView } from './docs/operation.js'
import { groupsOf, matches, operationsOf } from './docs/operations.js'
import { fill } from './docs/schema.js'
import { texts } from './docs/settings.js'

const reference = document.getElementById('reference')

reference.append(el('p', { class: 'muted', role: 'status' }, texts.loading))

const openapi = await load()
if (openapi) show(openapi)

async function load() {
  try {
    const reply = await fetch('/openapi.json', { headers: { Accept: 'application/json' } })
    if (reply.ok) return await reply.json()
    showFailure(reply.status)
  } catch (error) {
    showFailure(error.message)
  }
}

function showFailure(reason) {
  reference.replaceChildren(el('p', { class: 'notice error', role: 'alert' }, `${texts.failed} (${reason})`))
}

function show(openapi) {
  const operations = operationsOf(openapi)
  const views = operations.map((operation) => operationView(operation, openapi))
  const viewOf = new Map(operations.map((operation, index) => [operation, views[index]]))
  const groups = groupsOf(openapi, operations, texts.otherGroup).map((group, index) => ({
    ...group,
    id: `group-${index + 1}`,
  }))
  const sections = groups.map((group) => groupSection(group, viewOf))
  const nothing = el('p', { class: 'muted', hidden: true }, texts.none)
  reference.replaceChildren(
    el(
      'div',
      { class: 'side' },
      filterField(operations, viewOf, sections, nothing),
      groupLinks(groups),
      credentialsPanel(),
    ),
    el('div', { class: 'groups' }, sections, nothing),
  )
  followAddress(views)
}

function groupSection(group, viewOf) {
  return el(
    'section',
    { 'aria-labelledby': group.id },
    el('h2', { id: group.id, tabindex: '-1' }, group.name),
    group.description ? el('p', { class: 'muted' }, group.description) : '',
    el(
      'div',
      { class: 'operations' },
      group.operations.map((operation) => viewOf.get(operation)),
    ),
  )
}

function groupLinks(groups) {
  return el(
    'nav',
    { 'aria-label': texts.groups },
    el(
      'ul',
      {},
      groups.map(({ id, name, operations }) =>
        el(
          'li',
          {},
          el('a', { href: `#${id}` }, name),
          el('span', { class: 'small muted' }, String(operations.length)),
        ),
      ),
    ),
  )
}

function filterField(operations, viewOf, sections, nothing) {
  const input = el('input', { type: 'search', placeholder: texts.filterHint, autocomplete: 'off', spellcheck: 'false' })
  const count = el('p', { class: 'small muted', role: 'status' })
  const apply = () => {
    const found = operations.filter((operation) => matches(operation, input.value.trim()))
    for (const operation of operations) viewOf.get(operation).hidden = !found.includes(operation)
    for (const section of sections) section.hidden = !section.querySelector('.operation:not([hidden])')
    nothing.hidden = found.length > 0
    count.textContent = fill(texts.found, { count: found.length, total: operations.length })
  }
  input.addEventListener('input', apply)
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') input.value = ''
    if (event.key === 'Escape') apply()
  })
  focusOnSlash(input)
  apply()
  return el('div', { class: 'filter' }, field(texts.filter, input), count)
}

function focusOnSlash(input) {
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea')
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

/** Writes the open operation to the URL, and opens the one in the URL. */
function followAddress(views) {
  const openFromAddress = () => {
    const id = location.hash.slice(1)
    const view = views.find((one) => one.id === id)
    if (view) view.open = true
    document.getElementById(id)?.scrollIntoView()
  }
  for (const view of views) {
    view.firstChild.addEventListener('click', () => {
      history.replaceState(null, '', view.open ? location.pathname : `#${view.id}`)
    })
  }
  addEventListener('hashchange', openFromAddress)
  openFromAddress()
}
