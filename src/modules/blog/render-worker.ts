import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { allowed } from './allowed-html.ts'
import type { RenderSource } from './body-limits.ts'
import { problemOfBody } from './body-limits.ts'
import { keepMeaning, withoutParserProperties } from './keep-meaning.ts'
import { type HtmlNode, missingFrom, partsOf } from './removed-parts.ts'

/** `start` is the beginning of the plain text. `refused` is a problem with the body. `failed` is a renderer error. */
export type RenderResult =
  | { html: string; start: string; removed?: string[] }
  | { refused: string }
  | { failed: string }

// Hostile bodies can take any amount of time, so this code runs in a thread of a separate process.
const port = parentPort!
port.on('message', (source: RenderSource) => port.postMessage(render(source)))

/** A few input tags can expand into a large output, which would use too much memory. */
const maxHtmlBytes = 8 * 1024 * 1024

function render({ format, body, listsRemoved = false }: RenderSource): RenderResult {
  try {
    const problem = problemOfBody({ format, body })
    if (problem) return { refused: problem }
    const tree = parsed.runSync(treeOf[format](body) as never)
    keepMeaning(tree as HtmlNode, { namesHeadings: format === 'markdown' })
    const before = listsRemoved ? partsOf(tree as HtmlNode) : undefined
    const clean = sanitise.runSync(tree)
    const html = sanitise.stringify(clean)
    if (html.length > maxHtmlBytes) return { refused: 'takes too long or too much memory to render' }
    const removed = before && { removed: missingFrom(before, partsOf(clean as HtmlNode)) }
    return { html, start: startOf(clean as HtmlNode), ...removed }
  } catch (error) {
    if (error instanceof RangeError) return { refused: 'is nested too deeply' }
    return { failed: String(error) }
  }
}

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype, { allowDangerousHtml: true })

/** The output is always serialized from the sanitized tree. No input is copied to the output. */
const sanitise = unified().use(rehypeSanitize, allowed).use(rehypeStringify)

const parsed = unified().use(rehypeRaw)

const treeOf: Record<RenderSource['format'], (body: string) => HtmlNode> = {
  markdown: (body) => withoutParserProperties(markdown.runSync(markdown.parse(body)) as HtmlNode),
  html: (body) => root([{ type: 'raw', value: body }]),
  text: (body) => root(paragraphsOf(body).map(paragraph)),
}

const root = (children: HtmlNode[]): HtmlNode => ({ type: 'root', children })
const element = (tagName: string, children: HtmlNode[]): HtmlNode => ({
  type: 'element',
  tagName,
  properties: {},
  children,
})

const paragraphsOf = (body: string): string[] =>
  body.split(/\r?\n(?:[ \t]*\r?\n)+/).filter((text) => text.trim() !== '')

const paragraph = (text: string): HtmlNode =>
  element(
    'p',
    text
      .split(/\r?\n/)
      .flatMap((line, index) => [...(index > 0 ? [element('br', [])] : []), { type: 'text', value: line }]),
  )

const startLength = 200
const inline = new Set(['a', 'abbr', 'b', 'cite', 'code', 'del', 'em', 'i', 'ins', 'kbd', 'mark', 'q', 's', 'samp'])
for (const name of ['small', 'span', 'strong', 'sub', 'sup', 'u', 'var', 'ruby', 'rb', 'bdo', 'bdi', 'dfn', 'wbr'])
  inline.add(name)

function startOf(tree: HtmlNode): string {
  let text = ''
  const visit = (node: HtmlNode): void => {
    if (text.length > 4 * startLength) return
    // The reading of a character follows it.
    if (node.tagName === 'rt' || node.tagName === 'rp') return
    if (node.type === 'text') text += node.value
    for (const child of node.children ?? []) visit(child)
    if (node.tagName !== undefined && !inline.has(node.tagName)) text += ' '
    text = text.replace(/\s+/g, ' ')
  }
  visit(tree)
  return [...text.trim()].slice(0, startLength).join('').trim()
}

// Rendering has a lower priority than requests on the same core, but a request waits for the modules to load. On Linux,
// only this thread gets the priority.
try {
  setPriority(10)
} catch {
  // If the process may not change its priority, rendering runs at normal priority.
}
// Sent after all modules are loaded, so that loading does not count towards the first body's time limit.
port.postMessage('ready')
