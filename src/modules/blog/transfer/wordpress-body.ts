/**
 * What the editor of WordPress keeps, as the HTML that WordPress would show. Marks of blocks go; texts of the older
 * editor get their paragraphs, which it stores as empty lines.
 */
export function wordpressBody(content: string): { body: string | null; notes: string[] } {
  const hasBlocks = content.includes('<!-- wp:')
  const html = content.replace(/<!-- \/?wp:[\s\S]*?-->\n?/g, '').trim()
  const shortcodes = new Set(
    [...html.matchAll(/\[\/?([a-z][a-z0-9_-]{1,40})(?: [^\]]{0,500})?\]/g)].map((match) => match[1]),
  )
  const notes =
    shortcodes.size > 0 ? [`it holds shortcodes, which stay as they are: ${[...shortcodes].join(', ')}`] : []
  if (html === '') return { body: null, notes }
  return { body: hasBlocks || /<p[\s>]/i.test(html) ? html : withParagraphs(html), notes }
}

const block = /^<\/?(?:h[1-6]|p|div|ul|ol|li|dl|dt|dd|blockquote|pre|table|thead|tbody|tr|td|th|figure|hr|section)\b/i

/** Empty lines part paragraphs, and single ones lines, outside of what is preformatted. */
const withParagraphs = (html: string): string =>
  html
    .split(/(<pre[\s>][\s\S]*?<\/pre>)/i)
    .map((part, index) => (index % 2 === 1 ? part : paragraphs(part)))
    .join('\n')

const paragraphs = (html: string): string =>
  html
    .split(/\r?\n(?:[ \t]*\r?\n)+/)
    .map((text) => text.trim())
    .filter((text) => text !== '')
    .map((text) => (block.test(text) ? text : `<p>${text.replace(/\r?\n/g, '<br>\n')}</p>`))
    .join('\n')
