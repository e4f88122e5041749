import sax from 'sax'
import { UnreadableFile } from './import-source.ts'
import { createRepair } from './repair-xml.ts'

export interface XmlElement {
  name: string
  attributes: Record<string, string>
  /** The text directly inside the element, excluding its children's text. */
  text: string
  children: XmlElement[]
  /** The lines on which the element was not well-formed and has been repaired. */
  repaired?: number[]
}

const limits = { depth: 32, elements: 500_000, characters: 32 * 1024 * 1024 }

// Comments and attributes may exceed the parser's default limit.
Object.assign(sax, { MAX_BUFFER_LENGTH: limits.characters })

// biome-ignore lint/suspicious/noControlCharactersInRegex: XML forbids these characters, but exports contain them.
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

/** Keeps one element in memory at a time. Repairs raw `&` and `<` characters. Rejects document type declarations so that no entities are expanded. */
export async function* readXml(
  chunks: AsyncIterable<Uint8Array>,
  wanted: ReadonlySet<string>,
): AsyncGenerator<XmlElement> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const { push, end } = collector(wanted)
  for await (const chunk of chunks) yield* push(decode(decoder, chunk))
  yield* push(decode(decoder), true)
  end()
}

function collector(wanted: ReadonlySet<string>) {
  const parser = sax.parser(true)
  const { repair, faults } = createRepair()
  let start = 0
  let found: XmlElement[] = []
  // The open elements inside the collected element, outermost first.
  const open: XmlElement[] = []
  let [depth, elements, characters, silent] = [0, 0, 0, 0]
  const reject = (what: string): never => {
    throw new UnreadableFile(`Line ${parser.line + 1}: ${what}`)
  }
  const hold = (length: number) => {
    silent = 0
    characters += length
    if (characters > limits.characters) reject(`an element is larger than ${limits.characters} characters`)
  }
  const addText = (text: string) => {
    const current = open.at(-1)
    hold(current ? text.length : 0)
    // XML 1.0, section 2.11, requires line endings to be normalized to a line feed.
    if (current) current.text += text.replace(/\r\n?/g, '\n')
  }
  parser.onerror = ({ message }) => reject(message.split('\n', 1)[0] ?? '')
  parser.ondoctype = () => reject('document types and entity declarations are not supported')
  parser.onopentag = ({ name, attributes }) => {
    depth++
    if (depth > limits.depth) reject(`elements are nested more than ${limits.depth} levels deep`)
    if (open.length === 0) [elements, characters, silent, start] = [0, 0, 0, parser.line + 1]
    if (open.length === 0 && !wanted.has(name)) return
    if (++elements > limits.elements) reject(`an item contains more than ${limits.elements} elements`)
    const element: XmlElement = { name, attributes: attributes as Record<string, string>, text: '', children: [] }
    hold(Object.values(element.attributes).join('').length)
    open.at(-1)?.children.push(element)
    open.push(element)
  }
  parser.ontext = parser.oncdata = addText
  parser.onclosetag = () => {
    depth--
    silent = 0
    const closed = open.pop()
    if (!closed || open.length > 0) return
    const repaired = faults.filter((line) => line >= start && line <= parser.line + 1)
    found.push({ ...closed, ...(repaired.length > 0 && { repaired }) })
  }
  return {
    push(text: string, isLast = false): XmlElement[] {
      // The parser buffers a long token before it reports any of its text.
      silent += text.length
      parser.write(repair(text.replace(controls, ''), isLast))
      if (silent > limits.characters) reject(`an element is larger than ${limits.characters} characters`)
      const all = found
      found = []
      return all
    },
    end: () => void parser.close(),
  }
}

function decode(decoder: InstanceType<typeof TextDecoder>, chunk?: Uint8Array): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
  } catch {
    throw new UnreadableFile('The file is not UTF-8')
  }
}

export const textIn = ({ children }: XmlElement, name: string): string =>
  children.find((child) => child.name === name)?.text ?? ''
