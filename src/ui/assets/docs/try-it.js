import { agreed, asksFirst } from './ask.js'
import { credentialHeadersNow } from './credentials.js'
import { copyButton, el } from './dom.js'
import { inputsFor, valuesOf } from './inputs.js'
import { curlFor, requestFor } from './request.js'
import { isJson, responseView } from './response.js'
import { fill } from './schema.js'
import { publicUrl, texts } from './settings.js'

/** Shows the request as a form to send and as a command to copy. */
export function tryIt(operation, document) {
  const inputs = inputsFor(operation, document)
  const command = el('code')
  const answer = el('div', { class: 'answer', role: 'status' })
  const showCommand = () => {
    const request = requestFor(operation, valuesOf(inputs))
    command.textContent = curlFor(request, operation.credentials, publicUrl)
  }
  const block = el('pre', { tabindex: '0' }, command)
  const form = el(
    'form',
    {},
    inputs.map((input) => input.view),
    el('button', {}, texts.send),
  )
  form.addEventListener('input', showCommand)
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const request = requestFor(operation, valuesOf(inputs))
    if (asksFirst(operation) && !(await agreed(request, operation.summary))) return
    send(request, answer)
  })
  showCommand()
  return [
    el('div', { class: 'label-row' }, el('h4', {}, texts.example), copyButton(block, texts)),
    block,
    el('h4', {}, texts.tryIt),
    form,
    answer,
  ]
}

async function send(request, answer) {
  if (request.body && !isJson(request.body)) return answer.replaceChildren(problem(texts.badJson))
  answer.replaceChildren(el('p', { class: 'muted' }, texts.sending))
  const started = performance.now()
  try {
    const headers = { Accept: 'application/json', ...request.headers, ...credentialHeadersNow() }
    const body = request.form ? formData(request.form) : request.body
    const reply = await fetch(request.path, { method: request.method, headers, body, redirect: 'manual' })
    const time = Math.round(performance.now() - started)
    answer.replaceChildren(...(await responseView(reply, time)))
  } catch (error) {
    answer.replaceChildren(problem(fill(texts.noResponse, { reason: error.message })))
  }
}

function formData(entries) {
  const data = new FormData()
  for (const [name, value] of entries) if (typeof value === 'string' || value instanceof File) data.append(name, value)
  return data
}

const problem = (text) => el('p', { class: 'notice error' }, text)
