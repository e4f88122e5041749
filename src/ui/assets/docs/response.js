import { rememberSession } from './credentials.js'
import { button, el } from './dom.js'
import { fill } from './schema.js'
import { texts } from './settings.js'

const shownHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'Retry-After', 'X-Request-Id']

/** Shows a response's status, time, selected headers and body. */
export async function responseView(reply, time) {
  const headers = shownHeaders.filter((name) => reply.headers.has(name))
  const type = reply.headers.get('Content-Type') ?? ''
  const bytes = await reply.arrayBuffer()
  const isText = /json|text|xml/.test(type)
  const body = isText ? pretty(new TextDecoder().decode(bytes)) : ''
  const size = bytes.byteLength
  const remark = size === 0 ? texts.emptyAnswer : isText ? '' : fill(texts.binaryAnswer, { type, size })
  return [
    el(
      'p',
      { class: 'outcome' },
      el('strong', { class: reply.ok ? 'good' : 'bad' }, `${reply.status || '3xx'} ${reply.statusText}`.trim()),
      el('span', { class: 'small muted' }, fill(texts.milliseconds, { count: time })),
    ),
    headers.length > 0
      ? el(
          'dl',
          { class: 'headers' },
          headers.map((name) => headerRow(name, reply)),
        )
      : '',
    remark ? el('p', { class: 'muted' }, remark) : el('pre', { tabindex: '0' }, el('code', {}, body)),
    sessionOffer(body),
  ]
}

const headerRow = (name, reply) => el('div', {}, el('dt', {}, name), el('dd', {}, reply.headers.get(name)))

/** Offers to use the session from a response for subsequent requests. */
function sessionOffer(body) {
  const value = /"session(?:_id|Id)": "(ses_[\w-]+)"/.exec(body)?.[1]
  if (!value) return ''
  return button(texts.useSession, (element) => {
    rememberSession(value)
    element.textContent = texts.sessionUsed
  })
}

function pretty(text) {
  return isJson(text) ? JSON.stringify(JSON.parse(text), null, 2) : text
}

export function isJson(text) {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
