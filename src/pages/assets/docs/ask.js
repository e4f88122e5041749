import { el } from './dom.js'
import { texts } from './settings.js'

// What only reads, and so can be sent without a question.
const reads = ['get', 'head']

/**
 * Whether a slip would cost somebody else: routes with roles work on what belongs to other people. The document does not
 * tell a creation from a POST that changes something, so all of them ask.
 */
export const asksFirst = ({ method, roles }) => !reads.includes(method) && roles.length > 0

/** Shows what will be sent; true when it is to be sent. Escape and the first button leave everything as it is. */
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
