import { parentPort } from 'node:worker_threads'
import rehypeRaw from 'rehype-raw'
import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'
import { allowed } from './allowed-html.ts'
import { missingFrom, type Node, partsOf } from './removed-parts.ts'

export interface Source {
  format: 'markdown' | 'html' | 'text'
  body: string
  listsRemoved?: boolean
}

/** `start`: the first characters of the plain text. `refused`: the problem of the body. `failed`: a renderer error. */
export type Answer = { html: string; start: string; removed?: string[] } | { refused: string } | { failed: string }

// Runs as a thread of a separate process, because hostile bodies can take any amount of time.
const port = parentPort!
port.on('message', (source: Source) => port.postMessage(render(source)))

/** A few tags can expand to many. Larger results are refused to bound memory. */
const maxHtmlBytes = 8 * 1024 * 1024

function render({ format, body, listsRemoved = false }: Source): Answer {
  try {
    const tree = parsed.runSync(treeOf[format](body) as never)
    const before = listsRemoved ? partsOf(tree as Node) : undefined
    const clean = sanitise.runSync(tree)
    const html = sanitise.stringify(clean)
    if (html.length > maxHtmlBytes) return { refused: 'takes too long or too much memory to render' }
    const removed = before && { removed: missingFrom(before, partsOf(clean as Node)) }
    return { html, start: startOf(clean as Node), ...removed }
  } catch (error) {
    if (error instanceof RangeError) return { refused: 'is nested too deeply' }
    return { failed: String(error) }
  }
}

const markdown = unified().use(remarkParse).use(remarkGfm).use(remarkRehype, { allowDangerousHtml: true })

/** The output is always serialized from the sanitized tree, never copied from the input. */
const sanitise = unified().use(rehypeSanitize, allowed).use(rehypeStringify)

const parsed = unified().use(rehypeRaw)

const treeOf: Record<Source['format'], (body: string) => Node> = {
  markdown: (body) => markdown.runSync(markdown.parse(body)) as Node,
  html: (body) => root([{ type: 'raw', value: body }]),
  text: (body) => root(paragraphsOf(body).map(paragraph)),
}

const root = (children: Node[]): Node => ({ type: 'root', children })
const element = (tagName: string, children: Node[]): Node => ({ type: 'element', tagName, properties: {}, children })

const paragraphsOf = (body: string): string[] =>
  body.split(/\r?\n(?:[ \t]*\r?\n)+/).filter((text) => text.trim() !== '')

const paragraph = (text: string): Node =>
  element(
    'p',
    text
      .split(/\r?\n/)
      .flatMap((line, index) => [...(index > 0 ? [element('br', [])] : []), { type: 'text', value: line }]),
  )

const startLength = 200
const inline = new Set(['a', 'abbr', 'b', 'cite', 'code', 'del', 'em', 'i', 'ins', 'kbd', 'mark', 'q', 's', 'samp'])
for (const name of ['small', 'span', 'strong', 'sub', 'sup', 'u', 'var']) inline.add(name)

function startOf(tree: Node): string {
  let text = ''
  const visit = (node: Node): void => {
    if (text.length > 4 * startLength) return
    if (node.type === 'text') text += node.value
    for (const child of node.children ?? []) visit(child)
    if (node.tagName !== undefined && !inline.has(node.tagName)) text += ' '
    text = text.replace(/\s+/g, ' ')
  }
  visit(tree)
  return [...text.trim()].slice(0, startLength).join('').trim()
}

// All modules are loaded, so the time of the first body does not include loading.
port.postMessage('ready')
