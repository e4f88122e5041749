import { isBlock } from './message-html.ts'
import type { Piece } from './placeholders.ts'

export type MailNode = { pieces: Piece[] } | MailElement

export interface MailElement {
  tag: string
  className: string | undefined
  href: Piece | undefined
  children: MailNode[]
}

export function flatPieces(node: MailNode): Piece[] {
  if ('pieces' in node) return node.pieces
  const inner = node.children.flatMap(flatPieces)
  return isBlock(node.tag) ? [{ text: '\n' }, ...inner, { text: '\n' }] : inner
}
