/** The longest token is `&#1114111;`, and the longest beginning `<![CDATA[`. */
const maxToken = 16
const reference = /&(?:amp|lt|gt|quot|apos|#(\d{1,7})|#x([0-9a-f]{1,6}));/iy
const tag = /<[\p{L}_:/!?]/uy
const startTag = /<[\p{L}_:]/uy
const ends = { cdata: ']]>', comment: '-->' } as const
/** The characters that matter in text, in a start tag, and in attribute values with each kind of quotation mark. */
const special = { text: /[&<]/g, tag: /[&<>"']/g, '"': /[&<"]/g, "'": /[&<']/g } as const
/** A hostile file could have a fault on every line. */
const maxFaults = 10_000

/**
 * Escapes the characters `&` and `<` where an exporter has written them as they are, as in `AT&T` or `&nbsp;`. Nothing
 * in a CDATA section or a comment is changed. `faults` contains the numbers of the lines.
 */
export function createRepair() {
  const faults: number[] = []
  let [rest, line] = ['', 1]
  let state: keyof typeof ends | keyof typeof special = 'text'

  function repair(chunk: string, isLast = false): string {
    const text = rest + chunk
    const limit = isLast ? text.length : Math.max(0, text.length - maxToken)
    let [repaired, at] = ['', 0]
    const take = (end: number, instead?: string) => {
      const taken = text.slice(at, end)
      repaired += instead ?? taken
      line += taken.split('\n').length - 1
      at = end
    }
    const escaped = (entity: string) => {
      if (faults.at(-1) !== line && faults.length < maxFaults) faults.push(line)
      take(at + 1, entity)
    }
    while (at < limit) {
      const end = state === 'cdata' || state === 'comment' ? ends[state] : undefined
      const next = end === undefined ? nextOf(special[state as keyof typeof special], text, at) : text.indexOf(end, at)
      take(next < 0 || next > limit ? limit : next)
      if (at !== next || at === limit) continue
      if (end !== undefined) {
        take(at + end.length)
        state = 'text'
      } else if (text[at] === '&') isReference(text, at) ? take(at + 1) : escaped('&amp;')
      else if (text[at] === '<' && !startsAt(tag, text, at)) escaped('&lt;')
      else if (state === '"' || state === "'") [state] = [text[at] === state ? 'tag' : state, take(at + 1)]
      else if (text.startsWith('<![CDATA[', at)) [state] = ['cdata', take(at + 9)]
      else if (text.startsWith('<!--', at)) [state] = ['comment', take(at + 4)]
      else if (startsAt(startTag, text, at)) [state] = ['tag', take(at + 1)]
      else if (state === 'tag' && text[at] !== '<') [state] = [inTag[text[at] as keyof typeof inTag], take(at + 1)]
      else take(at + 1)
    }
    rest = text.slice(at)
    return repaired
  }
  return { repair, faults: faults as readonly number[] }
}

/** The state after each of these characters in a start tag. */
const inTag = { '>': 'text', '"': '"', "'": "'" } as const

function nextOf(form: RegExp, text: string, from: number): number {
  form.lastIndex = from
  return form.exec(text)?.index ?? -1
}

function startsAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at
  return form.exec(text)
}

/** A reference to a character that XML forbids is not one. */
function isReference(text: string, at: number): boolean {
  const [found, decimal, hex] = startsAt(reference, text, at) ?? []
  if (found === undefined || (decimal === undefined && hex === undefined)) return found !== undefined
  const code = Number.parseInt(decimal ?? hex ?? '', decimal === undefined ? 16 : 10)
  if (code < 32) return [9, 10, 13].includes(code)
  return code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) && code !== 0xfffe && code !== 0xffff
}
