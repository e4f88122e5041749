import { el, prose } from './dom.js'
import { fill } from './schema.js'
import { texts } from './settings.js'

// In requests, required members are marked. In responses, members that may be absent are marked.
const marks = {
  request: ({ required }) => (required ? el('span', { class: 'required' }, texts.required) : ''),
  reply: ({ required }) => (required ? '' : el('span', { class: 'type' }, texts.optional)),
}

/** Shows the members of a request or response: name, type, rule, description and nested members. */
export function memberList(members, side) {
  return el(
    'ul',
    { class: 'members' },
    members.map((member) => memberItem(member, side)),
  )
}

/** Shows a schema: its members, its variants, or one line with its type. */
export function shapeView(node, side) {
  if (node.variants.length > 0) return node.variants.map((variant, index) => variantView(variant, index, side))
  if (node.members.length > 0) return memberList(node.members, side)
  return el('p', { class: 'small' }, typeLine(node))
}

function memberItem(member, side) {
  const isPlain = member.members.length === 0 && member.variants.length === 0
  return el(
    'li',
    {},
    el('p', { class: 'member' }, el('code', { class: 'name' }, member.name), typeLine(member), marks[side](member)),
    member.text ? el('p', { class: 'small' }, prose(member.text)) : '',
    isPlain ? '' : shapeView(member, side),
  )
}

function variantView(node, index, side) {
  const title = fill(texts.variant, { count: index + 1 })
  return el(
    'div',
    { class: 'variant' },
    el('p', { class: 'label' }, node.text ? prose(node.text) : title),
    shapeView(node, side),
  )
}

const typeLine = (node) =>
  el('span', { class: 'type' }, el('code', {}, node.type), node.rules.length > 0 ? ` · ${node.rules.join(' · ')}` : '')
