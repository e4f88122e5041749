import { el } from './dom.js'
import { exampleOf, resolve } from './schema.js'
import { texts } from './settings.js'

/** Shows a checkbox for each optional body member. The checkbox adds the member to the JSON or removes it. */
export function optionalMembers({ schema }, document, control) {
  const { properties = {}, required = [] } = resolve(schema, document) ?? {}
  const names = Object.keys(properties).filter((name) => !required.includes(name))
  if (names.length === 0) return ''
  const boxes = names.map((name) => {
    const box = el('input', { type: 'checkbox', value: name })
    box.addEventListener('change', () =>
      write(control, name, box.checked ? exampleOf(properties[name], document, name) : undefined),
    )
    return box
  })
  const follow = () => {
    const body = bodyIn(control)
    for (const box of boxes) {
      box.disabled = body === undefined
      box.checked = body !== undefined && box.value in body
    }
  }
  control.addEventListener('input', follow)
  follow()
  const choices = boxes.map((box) => el('label', { class: 'check' }, box, el('code', {}, box.value)))
  const group = el('div', { role: 'group', 'aria-label': texts.optionalMembers }, choices)
  return el('details', { class: 'optional' }, el('summary', {}, texts.optionalMembers), group)
}

/** Reformats the body but keeps its other members. */
function write(control, name, value) {
  control.value = JSON.stringify({ ...bodyIn(control), [name]: value }, null, 2)
  control.dispatchEvent(new Event('input', { bubbles: true }))
}

/** Returns the current body, or undefined if it is not a JSON object. */
function bodyIn({ value }) {
  try {
    const body = JSON.parse(value)
    return typeof body === 'object' && body !== null && !Array.isArray(body) ? body : undefined
  } catch {
    return undefined
  }
}
