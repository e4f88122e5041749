export interface RenderSource {
  format: 'markdown' | 'html' | 'text'
  body: string
  listsRemoved?: boolean
}

const maxTags = 30_000
const maxOpen = 100

/** Long runs of Markdown markers are rejected because the parser may compare each marker with all previous ones. */
const runs = [/!?\[(?:!?\[){100}/, /(?:>[ \t]{0,3}){101}/, /(?:[-+*][ \t]{1,3}){101}/, /[*_~]{501}/]

const tag = /<(\/?)([a-z][a-z0-9]*)(?=[\s/>])/gi

/** HTML parsers reopen these elements in every paragraph until they are closed. */
const reopened = new Set('a b big code em font i nobr s small strike strong tt u'.split(' '))

/** Even a short body can take minutes and gigabytes of memory to parse. Known cases are rejected before parsing. */
export function problemOfBody({ format, body }: RenderSource): string | undefined {
  if (format === 'text') return undefined
  if (format === 'markdown' && runs.some((run) => run.test(body))) return 'is nested too deeply'
  if (format === 'markdown' && isTooComplex(body))
    return 'is too complex: it has too many of the characters * _ ~ [ ] | or too many lines of = in one paragraph'
  return problemOfTags(body)
}

function problemOfTags(body: string): string | undefined {
  let [tags, open] = [0, 0]
  for (const [, end, name = ''] of body.matchAll(tag)) {
    if (++tags > maxTags) return `must have at most ${maxTags} tags`
    if (!reopened.has(name.toLowerCase())) continue
    open = Math.max(0, open + (end ? -1 : 1))
    if (open > maxOpen) return `has more than ${maxOpen} unclosed elements such as b or a`
  }
  return undefined
}

/** The maximum number of comparisons per body. A paragraph with 2,500 markers of one kind takes about a second. */
const maxComparisons = 2_500 ** 2

/** The Markdown parser compares each of these markers with every previous one in the same paragraph. */
const marks = [/[*_~]+/g, /[[\]]/g, /^.*\|/gm, /^ {0,3}(?:=+|-+)[ \t]*$/gm]

const fence = /^ {0,3}(`{3,}|~{3,})/

function isTooComplex(body: string): boolean {
  let comparisons = 0
  for (const paragraph of paragraphsOf(body)) {
    const highest = Math.max(...marks.map((mark) => countOf(mark, paragraph)))
    comparisons += highest ** 2
    if (comparisons > maxComparisons) return true
  }
  return false
}

function* paragraphsOf(body: string): Generator<string> {
  let lines: string[] = []
  let closing: string | undefined
  for (const line of body.split(/\r\n|\n|\r/)) {
    const mark = fence.exec(line)?.[1]
    if (closing === undefined && mark === undefined && line.trim() !== '') {
      lines.push(line)
      continue
    }
    if (closing === undefined) closing = mark
    else if (mark?.startsWith(closing)) closing = undefined
    if (lines.length > 0) yield lines.join('\n')
    lines = []
  }
  if (lines.length > 0) yield lines.join('\n')
}

function countOf(mark: RegExp, text: string): number {
  let count = 0
  for (const _ of text.matchAll(mark)) count++
  return count
}
