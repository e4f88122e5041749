import { el } from './dom.js'
import { texts } from './settings.js'

// Methods that change nothing and need no confirmation.
const reads = ['get', 'head']

/**
 * Whether a request needs confirmation. Routes with roles affect other users. The OpenAPI document does not show
 * whether a POST request creates or changes something, so all POST requests to these routes need confirmation.
 */
export const asksFirst = ({ method, roles }) => !reads.includes(method) && roles.length > 0

/** Shows the request and returns whether the user confirms it. The Escape key and the first button cancel. */
export function agreed({ method, path, body }, summary) {
  const isDeletion = method === 'DELETE'
  const dialog = el(
    'dialog',
    { class: 'ask', 'aria-labelledby': 'ask-title', 'aria-describedby': 'ask-text ask-request' },
    el('h3', { id: 'ask-title' }, texts.askTitle),
    el('p', { id: 'ask-text' }, summary ? [el('strong', {}, summary), '. '] : '', texts.askText),
    el(
      'pre',
      { id: 'ask-request', tabindex: '0' },
      el('code', {}, [`${method} ${path}`, body].filter(Boolean).join('\n\n')),
    ),
    el(
      'form',
      { method: 'dialog', class: 'actions' },
      el('button', { class: 'plain', value: '', autofocus: true }, texts.cancel),
      el('button', { class: isDeletion && 'danger', value: 'send' }, isDeletion && summary ? summary : texts.sendNow),
    ),
  )
  document.body.append(dialog)
  dialog.showModal()
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(dialog.returnValue === 'send')
    })
  })
}
