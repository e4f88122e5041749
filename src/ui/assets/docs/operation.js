import { breakable, el, prose } from './dom.js'
import { memberList, shapeView } from './members.js'
import { describe, exampleOf } from './schema.js'
import { texts } from './settings.js'
import { tryIt } from './try-it.js'

/** Returns one operation as a `details` element. The content is created when the element is first opened. */
export function operationView(operation, document) {
  const body = el('div', { class: 'operation-body' })
  const view = el('details', { class: 'operation', id: operation.id }, summaryLine(operation), body)
  view.addEventListener('toggle', () => {
    if (view.open && !body.hasChildNodes()) body.append(...partsOf(operation, document))
  })
  return view
}

const summaryLine = (operation) =>
  el(
    'summary',
    {},
    el('span', { class: `method ${operation.method}` }, operation.method.toUpperCase()),
    el('h3', {}, el('code', {}, breakable(operation.path))),
    el('span', { class: 'muted' }, operation.summary, operation.deprecated ? ` · ${texts.deprecated}` : ''),
  )

const partsOf = (operation, document) => [
  el(
    'div',
    { class: 'about' },
    paragraphs(operation.description),
    facts(operation),
    parameterSections(operation, document),
    requestSection(operation, document),
    repliesSection(operation, document),
  ),
  el('div', { class: 'use' }, tryIt(operation, document)),
]

const paragraphs = (text) => (text ? text.split(/\n{2,}/).map((part) => el('p', {}, prose(part))) : [])

function facts({ access, limit, module, secondAddresses }) {
  const rows = [
    [texts.caller, access && el('dd', { class: 'caller' }, plain(access))],
    [texts.limit, limit && el('dd', {}, el('code', {}, plain(limit)))],
    [texts.module, module && el('dd', {}, el('code', {}, plain(module)))],
    [texts.secondAddresses, secondAddresses.length > 0 && el('dd', {}, secondAddresses.map(pathLine))],
  ].filter(([, value]) => value)
  return rows.length > 0
    ? el(
        'dl',
        { class: 'facts' },
        rows.map(([name, value]) => el('div', {}, el('dt', {}, name), value)),
      )
    : ''
}

const pathLine = (path) => el('code', {}, breakable(path))

const plain = (value) => (typeof value === 'string' ? value : JSON.stringify(value))

function parameterSections(operation, document) {
  const places = [
    ['path', texts.path],
    ['query', texts.query],
    ['header', texts.header],
  ]
  return places.flatMap(([place, title]) => {
    const members = operation.parameters.filter((one) => one.in === place).map((one) => parameter(one, document))
    return members.length > 0 ? [el('h4', {}, title), memberList(members, 'request')] : []
  })
}

function parameter({ name, required, schema, description }, document) {
  const node = describe(schema, document, texts.rules)
  return { ...node, name, required: required === true, text: description ?? node.text }
}

function requestSection({ body }, document) {
  if (!body) return []
  const type = body.type === 'application/json' ? '' : el('code', {}, body.type)
  const optional = body.required ? '' : el('span', { class: 'small muted' }, texts.optional)
  return [
    el('h4', {}, texts.body, ' ', type, ' ', optional),
    shapeView(describe(body.schema, document, texts.rules), 'request'),
  ]
}

function repliesSection({ replies }, document) {
  if (replies.length === 0) return []
  return [
    el('h4', {}, texts.responses),
    el(
      'div',
      { class: 'replies' },
      replies.map((one) => replyView(one, document)),
    ),
  ]
}

function replyView({ status, description, type, schema }, document) {
  const outcome = /^[23]/.test(status) ? 'good' : 'bad'
  const content = schema
    ? shapeView(describe(schema, document, texts.rules), 'reply')
    : el('p', { class: 'small' }, type ?? texts.noContent)
  return el(
    'details',
    { class: 'reply', open: status.startsWith('2') },
    el('summary', {}, el('strong', { class: outcome }, status), el('span', { class: 'muted' }, description)),
    content,
    schema && outcome === 'good' ? replyExample(schema, document) : '',
  )
}

function replyExample(schema, document) {
  const example = schema && exampleOf(schema, document)
  if (!example) return ''
  const text = JSON.stringify(example, null, 2)
  return [el('h4', {}, texts.example), el('pre', { tabindex: '0' }, el('code', {}, text))]
}
