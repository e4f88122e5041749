import { invalidField } from '../lib/errors.ts'
import { flatPieces, type MailElement, type MailNode } from './mail-nodes.ts'
import { isLink } from './messages.ts'
import { fillPieces, variablesIn } from './placeholders.ts'

/** Matches URLs and host names. The domain of an email address is also a host name. */
const address = /(?:https?:\/\/\S+)|(?:[\p{L}\p{M}\p{N}-]+\.)+\p{L}[\p{L}\p{M}\p{N}-]+(?::\d+)?/giu

/** Throws VALIDATION_ERROR if the text of a link pretends that the link leads elsewhere. */
export function assertHonestLinks(nodes: readonly MailNode[]): void {
  for (const link of linksIn(nodes)) {
    if (linksIn(link.children).length > 0) throw invalidField('html', 'must not have a link inside another link')
    const pieces = link.children.flatMap(flatPieces)
    const other = variablesIn(pieces).find((name) => isLink(name) && name !== variableOf(link))
    if (other) throw dishonest(`{{${other}}}`)
    const text = fillPieces(pieces, () => 'x')
      .normalize('NFKC')
      // Browsers read the ideographic full stop as a dot.
      .replaceAll('\u3002', '.')
    if (text.trim() === '') throw invalidField('html', 'must not have a link without text')
    const target = originOf(link.href && 'text' in link.href ? link.href.text : '')
    for (const [shown] of text.matchAll(address))
      if (originOf(shown) === undefined || originOf(shown) !== target) throw dishonest(shown.slice(0, 60))
  }
}

const dishonest = (shown: string) =>
  invalidField('html', `must not show ${shown} as the text of a link to another address`)

/** The placeholders that recipients see or can open. Text inside a link to another page does not count. */
export const usableVariables = (nodes: readonly MailNode[]): string[] =>
  nodes.flatMap((node) => {
    if ('pieces' in node) return variablesIn(node.pieces)
    return node.tag === 'a' ? variablesIn(node.href ? [node.href] : []) : usableVariables(node.children)
  })

const linksIn = (nodes: readonly MailNode[]): MailElement[] =>
  nodes.flatMap((node) => {
    if ('pieces' in node) return []
    return [...(node.tag === 'a' ? [node] : []), ...linksIn(node.children)]
  })

const variableOf = ({ href }: MailElement): string | undefined =>
  href && 'variable' in href ? href.variable : undefined

function originOf(text: string): string | undefined {
  const url = /^https?:\/\//i.test(text) ? text : `https://${text}`
  return URL.canParse(url) ? new URL(url).origin : undefined
}
