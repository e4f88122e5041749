import type { InboxMessage } from '../../../adapters/inbox/inbox.ts'
import { type PageContext, renderPage } from '../../../ui/shared/render.ts'
import { textsFor } from '../../../ui/texts/index.ts'

export interface DevInboxPage {
  /** Oldest first. */
  messages: InboxMessage[]
  /** The recipient whose messages are shown. If empty, all messages are shown. */
  to: string
}

export function devInboxPage(data: DevInboxPage, page: PageContext): string {
  const texts = textsFor(page.lang).inbox
  const newestFirst = data.messages.toReversed()
  const clock = new Intl.DateTimeFormat(page.lang, { dateStyle: 'medium', timeStyle: 'medium' })
  const messages = newestFirst.map((message) => ({
    ...message,
    sent: clock.format(new Date(message.created_at)),
    pieces: withLinks(message.text),
    preview: message.html && previewDocument(message.html, page.nonce),
  }))
  return renderPage(
    {
      template: new URL('./dev-inbox.eta', import.meta.url),
      title: texts.title,
      shape: 'reading',
      styles: ['empty-state.css', 'dev-inbox.css'],
      scripts: ['dev-inbox.js'],
      settings: { newest: newestFirst[0]?.created_at ?? '', to: data.to },
      data: { to: data.to, messages, texts },
    },
    page,
  )
}

interface TextPiece {
  text: string
  href?: string
}

/** Only http(s) URLs become links. Trailing punctuation is not part of the link. */
export function withLinks(text: string): TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const match of text.matchAll(/\bhttps?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}]/g)) {
    pieces.push({ text: text.slice(end, match.index) }, { text: match[0], href: match[0] })
    end = match.index + match[0].length
  }
  return [...pieces, { text: text.slice(end) }]
}

/** The CSP allows no style attributes, so they are converted to rules in a style element with the nonce. */
export function previewDocument(html: string, nonce: string): string {
  const rules: string[] = []
  const plain = html
    .replace(/ style="([^"<]*)"/g, (_, style: string) => {
      rules.push(`[data-rule="${rules.length}"]{${style}}`)
      return ` data-rule="${rules.length - 1}"`
    })
    .replaceAll('<style>', `<style nonce="${nonce}">`)
  const extra = `<base target="_blank"><style nonce="${nonce}">${rules.join('')}</style></head>`
  return plain.replace('</head>', () => extra)
}
