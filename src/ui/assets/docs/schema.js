/** Replaces placeholders in text such as `{count} ms`. */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole)

/** Follows each `$ref` until it reaches the schema. */
export function resolve(schema, document) {
  let target = schema
  for (let step = 0; target?.$ref && step < 20; step += 1) {
    const steps = target.$ref.replace(/^#\/?/, '').split('/')
    target = steps.reduce((node, key) => node?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document)
  }
  return target?.allOf ? merge(target, document) : target
}

/** Describes a schema: its type, its rules in words, its members and its variants. */
export function describe(schema, document, words, trail = []) {
  const target = resolve(schema, document) ?? {}
  const plain = { type: typeOf(target), rules: rulesOf(target, words), text: target.description ?? '' }
  if (trail.includes(target)) return { ...plain, members: [], variants: [] }
  const inside = (part) => describe(part, document, words, [...trail, target])
  const choices = target.anyOf ?? target.oneOf
  if (choices)
    return {
      ...describeChoices(
        choices.map((part) => resolve(part, document)),
        inside,
        words,
      ),
      ...noted(plain),
    }
  if (target.items) return describeList(plain, inside(target.items))
  return { ...plain, members: membersOf(target, inside), variants: [] }
}

/** Returns a valid example, which contains optional members only if all members are optional. */
export function exampleOf(schema, document, name = '', trail = []) {
  const target = resolve(schema, document)
  if (!target || trail.includes(target)) return null
  const given = [target.example, target.examples?.[0], target.default, target.const, target.enum?.[0]]
  const found = given.find((value) => value !== undefined)
  if (found !== undefined) return found
  const inside = (part, key) => exampleOf(part, document, key, [...trail, target])
  const choice = (target.anyOf ?? target.oneOf)?.[0]
  if (choice) return inside(choice, name)
  if (target.properties) return exampleObject(target, inside)
  if (target.type === 'array') return target.items ? [inside(target.items, name)] : []
  return exampleScalar(target, name)
}

/**
 * Returns a form's initial content: only required members, because each additional member would overwrite a stored
 * value. A POST request may define its own example.
 */
export function requestExample({ method, body }, document) {
  const target = resolve(body.schema, document) ?? {}
  const written = method === 'post' ? (body.example ?? target.examples?.[0]) : undefined
  if (written !== undefined) return written
  if (!target.properties) return method === 'post' ? (exampleOf(target, document) ?? {}) : {}
  const required = Object.keys(target.properties).filter((name) => target.required?.includes(name))
  return Object.fromEntries(required.map((name) => [name, exampleOf(target.properties[name], document, name)]))
}

function merge(target, document) {
  const parts = [...target.allOf.map((part) => resolve(part, document)), { ...target, allOf: undefined }]
  const merged = Object.assign({}, ...parts)
  merged.properties = Object.assign({}, ...parts.map((part) => part?.properties))
  merged.required = parts.flatMap((part) => part?.required ?? [])
  return merged
}

const noted = ({ text, rules }) => (text ? { text, ...(rules.length > 0 && { rules }) } : {})

function describeChoices(choices, inside, words) {
  const real = choices.filter((choice) => choice?.type !== 'null')
  const orNull = real.length < choices.length ? ' | null' : ''
  if (real.length === 1) {
    const only = inside(real[0])
    return { ...only, type: only.type + orNull }
  }
  const nodes = real.map(inside)
  const types = [...new Set(nodes.map((node) => node.type))].join(' | ') + orNull
  if (real.every((choice) => choice.const !== undefined)) {
    const values = real.map((choice) => choice.const).join(', ')
    return { type: types, rules: [fill(words.oneOf, { values })], text: '', members: [], variants: [] }
  }
  const hasMembers = nodes.some((node) => node.members.length > 0 || node.variants.length > 0)
  const rules = [...new Set(nodes.flatMap((node) => node.rules))]
  return { type: types, rules: hasMembers ? [] : rules, text: '', members: [], variants: hasMembers ? nodes : [] }
}

const describeList = (plain, item) => ({
  ...item,
  type: item.type.includes(' | ') ? `(${item.type})[]` : `${item.type}[]`,
  rules: [...plain.rules, ...item.rules],
  text: plain.text || item.text,
})

function membersOf(target, inside) {
  const required = target.required ?? []
  const named = Object.entries(target.properties ?? {}).map(([name, part]) => ({
    name,
    required: required.includes(name),
    ...inside(part),
  }))
  const byPattern = Object.entries(target.patternProperties ?? {}).map(([pattern, part]) => ({
    name: pattern.replace(/^\^|\$$/g, ''),
    required: false,
    ...inside(part),
  }))
  const others = target.additionalProperties
  const isOpen = others && typeof others === 'object' && Object.keys(others).length > 0
  return [...named, ...byPattern, ...(isOpen ? [{ name: '*', required: false, ...inside(others) }] : [])]
}

function typeOf(target) {
  if (target.format === 'binary') return 'file'
  const type = target.type ?? (target.properties ? 'object' : target.enum ? typeof target.enum[0] : undefined)
  if (Array.isArray(type)) return type.join(' | ')
  return type ?? (target.const === undefined ? 'any' : typeof target.const)
}

function rulesOf(target, words) {
  const only = target.enum?.length === 1 ? target.enum[0] : target.const
  return [
    target.format && target.format !== 'binary' && target.format,
    only !== undefined && fill(words.exactly, { value: JSON.stringify(only) }),
    only === undefined && target.enum && fill(words.oneOf, { values: target.enum.join(', ') }),
    span(target.minLength, target.maxLength, [words.lengthBetween, words.lengthFrom, words.lengthTo]),
    span(target.minimum, target.maximum, [words.between, words.from, words.to]),
    span(target.minItems, target.maxItems, [words.itemsBetween, words.itemsFrom, words.itemsTo]),
    target.pattern && fill(words.pattern, { pattern: target.pattern }),
    target.default !== undefined && fill(words.default, { value: JSON.stringify(target.default) }),
  ].filter(Boolean)
}

function span(min, max, [both, from, to]) {
  if (min === undefined && max === undefined) return undefined
  return fill(min === undefined ? to : max === undefined ? from : both, { min, max })
}

function exampleObject(target, inside) {
  const names = Object.keys(target.properties)
  const required = names.filter((name) => target.required?.includes(name))
  const shown = required.length > 0 ? required : names
  return Object.fromEntries(shown.map((name) => [name, inside(target.properties[name], name)]))
}

function exampleScalar(target, name) {
  const type = Array.isArray(target.type) ? target.type[0] : target.type
  if (type === 'integer' || type === 'number') return target.minimum ?? 1
  if (type === 'boolean') return true
  if (type === 'object') return {}
  if (type !== 'string') return null
  if (target.format === 'email' || /^(email|login)$/.test(name)) return 'ada@example.com'
  if (target.format === 'date-time') return '2026-01-31T12:00:00.000Z'
  if (target.format === 'date') return '2026-01-31'
  if (target.format === 'uuid') return '00000000-0000-4000-8000-000000000000'
  return /password$/i.test(name) ? 'seven quiet river stones' : 'string'
}
