import { Eta } from 'eta'

/** Code with the place it comes from. Code that the check adds has no place. */
export interface Segment {
  code: string
  place?: Place
}

export interface Place {
  file: string
  line: number
  /** The place of the `include` that the code is expanded at, if the code is in a template without its own type. */
  includedAt?: Place | undefined
}

export interface Tag {
  /** `e` runs code, `i` prints a value, `r` prints HTML. */
  kind: 'e' | 'i' | 'r'
  code: string
  line: number
}

export interface ParsedTemplate {
  /** The type in `@param {…} it` at the beginning of the template. */
  type: string | undefined
  tags: Tag[]
}

const eta = new Eta()

export function parseTemplate(source: string): ParsedTemplate {
  const tags: Tag[] = []
  let at = 0
  for (const part of eta.parse(source)) {
    if (typeof part === 'string') continue
    const start = source.indexOf(part.val, source.indexOf('<%', at))
    at = start + part.val.length
    tags.push({
      kind: part.t as Tag['kind'],
      code: withTypes(part.val),
      line: source.slice(0, start).split('\n').length,
    })
  }
  return { type: /^<% \/\*\* @param \{(.*)\} it \*\/ %>\n/s.exec(source)?.[1], tags }
}

/** Turns `/** @type {T} *\/ name` into `name: T`. */
const withTypes = (code: string): string =>
  code.replace(/\/\*\* @type \{(.+?)\} \*\/ ((?:const )?\w+)/g, (_, type: string, name: string) => `${name}: ${type}`)
