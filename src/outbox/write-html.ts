import type { MailStyles } from './mail-branding.ts'
import type { MailElement, MailNode } from './mail-nodes.ts'
import { isVoid } from './message-html.ts'
import { fillPieces } from './placeholders.ts'

type LookUp = (variable: string) => string

/** Every text and attribute is escaped, so values cannot add elements. */
export const writeHtml = (nodes: readonly MailNode[], lookUp: LookUp, styles: MailStyles): string =>
  nodes.map((node) => writeNode(node, lookUp, styles)).join('')

function writeNode(node: MailNode, lookUp: LookUp, styles: MailStyles): string {
  if ('pieces' in node) return escapeHtml(fillPieces(node.pieces, lookUp))
  const start = `<${node.tag}${attributesOf(node, lookUp, styles)}>`
  return isVoid(node.tag) ? start : `${start}${writeHtml(node.children, lookUp, styles)}</${node.tag}>`
}

function attributesOf({ tag, className, href }: MailElement, lookUp: LookUp, styles: MailStyles): string {
  const attributes = {
    href: href && fillPieces([href], lookUp),
    // The layout's style sheet adapts these classes to dark mode.
    class: className === 'muted' ? 'address' : className,
    style: styleOf(tag, className, styles),
  }
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined ? '' : ` ${name}="${escapeHtml(value)}"`))
    .join('')
}

function styleOf(tag: string, className: string | undefined, styles: MailStyles): string | undefined {
  if (className === 'button') return styles.button
  if (className === 'code') return styles.code
  if (className === 'muted') return styles.muted
  if (tag === 'p' || tag === 'ul' || tag === 'ol') return styles.paragraph
  if (/^h\d$/.test(tag)) return styles.heading
  if (tag === 'blockquote') return styles.quote
  return tag === 'hr' ? styles.rule : undefined
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (letter) => escapes[letter] ?? '')
