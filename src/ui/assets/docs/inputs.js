import { el, field } from './dom.js'
import { optionalMembers } from './optional.js'
import { credentialHeaders } from './request.js'
import { requestExample, resolve } from './schema.js'
import { texts } from './settings.js'

/** Returns the inputs for all parameters and the body: `{ place, name, control, view }`. */
export function inputsFor(operation, document) {
  const credentials = Object.values(credentialHeaders).map((name) => name.toLowerCase())
  const parameters = operation.parameters
    .filter(({ name, in: place }) => place !== 'cookie' && !credentials.includes(name.toLowerCase()))
    .map(({ name, in: place, required, example = '' }) =>
      // Path parameters initially contain their example. All other parameters are initially empty.
      textInput(place, name, required === true, place === 'path' ? String(example) : ''),
    )
  return [...parameters, ...bodyInputs(operation, document)]
}

/** Returns the entered values, grouped by `place`. */
export function valuesOf(inputs) {
  const values = { path: {}, query: {}, header: {}, form: {}, body: undefined }
  for (const { place, name, control } of inputs) {
    if (place === 'body') values.body = control.value
    else values[place][name] = control.type === 'file' ? (control.files[0] ?? { name: 'file' }) : control.value
  }
  return values
}

function bodyInputs(operation, document) {
  const { body } = operation
  if (body?.type === 'application/json') return [jsonInput(operation, document)]
  if (body?.type !== 'multipart/form-data') return []
  const members = Object.entries(resolve(body.schema, document).properties ?? {})
  return members.map(([name, part]) => (part.format === 'binary' ? fileInput(name) : textInput('form', name, false)))
}

function jsonInput(operation, document) {
  const example = JSON.stringify(requestExample(operation, document), null, 2)
  const control = el('textarea', { rows: rowsFor(example), spellcheck: 'false', class: 'code' }, example)
  const view = [field(texts.bodyJson, control), optionalMembers(operation.body, document, control)]
  return { place: 'body', name: 'body', control, view }
}

const rowsFor = (text) => String(Math.min(Math.max(text.split('\n').length + 1, 3), 18))

function textInput(place, name, required, value = '') {
  const control = el('input', { autocomplete: 'off', spellcheck: 'false', required, value })
  return { place, name, control, view: field(name, control) }
}

function fileInput(name) {
  const control = el('input', { type: 'file' })
  return { place: 'form', name, control, view: field(name, control) }
}
