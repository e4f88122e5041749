import { type ImportNote, listed, note } from './notes.ts'
import { withoutComments } from './plain-text.ts'

/** The classic editor separates paragraphs with empty lines. Block comments are removed. */
export function wordpressBody(content: string): { body: string | null; notes: ImportNote[] } {
  const hasBlocks = content.includes('<!-- wp:')
  const html = withoutComments(content, (comment) => /^<!-- \/?wp:/.test(comment)).trim()
  const shortcodes = new Set(
    [...html.matchAll(/\[\/?([a-z][a-z0-9_-]{1,40})(?: [^\]]{0,500})?\]/g)].map((match) => match[1]),
  )
  const notes =
    shortcodes.size > 0
      ? [note('it contains shortcodes, which are kept as text', listed(shortcodes as Set<string>))]
      : []
  if (html === '') return { body: null, notes }
  return { body: hasBlocks || /<p[\s>]/i.test(html) ? html : withParagraphs(html), notes }
}

const block = /^<\/?(?:h[1-6]|p|div|ul|ol|li|dl|dt|dd|blockquote|pre|table|thead|tbody|tr|td|th|figure|hr|section)\b/i

/** Empty lines separate paragraphs. Single newlines become `<br>`, except in preformatted text. */
function withParagraphs(html: string): string {
  // After the last `</pre>`, no `<pre>` is closed, and searching from each start tag would take quadratic time.
  const last = html.lastIndexOf('</pre>')
  const end = last < 0 ? 0 : last + '</pre>'.length
  const parts = html.slice(0, end).split(/(<pre[\s>][\s\S]*?<\/pre>)/)
  const formed = parts.map((part, index) => (index % 2 === 1 ? part : paragraphs(part)))
  return [...formed, paragraphs(html.slice(end))].filter((part) => part !== '').join('\n')
}

const paragraphs = (html: string): string =>
  html
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => (block.test(text) ? text : `<p>${text.replace(/\r?\n/g, '<br>\n')}</p>`))
    .join('\n')
