/** The source range that a mutant replaces, and the replacement. */
export interface Location {
  start: number
  end: number
  replacement: string
}

/**
 * Finds the code that a mutant changes. If the text `from` occurs exactly once, that is the code. Otherwise, searches
 * for code with the same structure, ignoring layout and allowing different names so that renaming or reformatting code
 * does not require updating the mutants. Returns undefined if there is no such code, if fewer than half of the names
 * match, or if two candidates match equally well.
 */
export function locate(source: string, from: string, to: string): Location | undefined {
  const first = source.indexOf(from)
  if (first >= 0 && source.indexOf(from, first + 1) < 0)
    return { start: first, end: first + from.length, replacement: to }
  const wanted = tokensOf(from)
  const input = tokensOf(source)
  const matches = input
    .map((_, index) => matchAt(input, index, wanted))
    .filter((match) => match !== undefined)
    .toSorted((one, other) => other.kept - one.kept)
  const [best, next] = matches
  const names = wanted.filter(isName).length
  if (!best || best.kept * 2 < names || next?.kept === best.kept) return undefined
  return { start: best.start, end: best.end, replacement: renamed(to, best.names) }
}

interface Token {
  text: string
  start: number
}

interface Match {
  start: number
  end: number
  /** Maps names in the list of mutants to names in the source. */
  names: Map<string, string>
  /** The number of names that are the same in the list and in the source. */
  kept: number
}

const word = /[A-Za-z_$][\w$]*/
const tokens = new RegExp(`${word.source}|\\d+|\\S`, 'g')

/** A trailing comma before a closing bracket counts as layout and is ignored. */
const tokensOf = (text: string): Token[] =>
  [...text.matchAll(tokens)]
    .map((match) => ({ text: match[0], start: match.index }))
    .filter(({ text }, index, all) => text !== ',' || !/^[)\]}]$/.test(all[index + 1]?.text ?? ''))

/** Keywords must match exactly, including SQL keywords, which are in uppercase. */
const keywords = new Set(
  'as async await break case catch const continue default delete else false finally for function if in instanceof let new null of return switch throw true try typeof undefined while'.split(
    ' ',
  ),
)
const isName = ({ text }: Token): boolean => word.test(text) && !keywords.has(text) && !/^[A-Z]+$/.test(text)

function matchAt(input: readonly Token[], index: number, wanted: readonly Token[]): Match | undefined {
  const names = new Map<string, string>()
  let kept = 0
  for (const [offset, token] of wanted.entries()) {
    const other = input[index + offset]
    if (!other || isName(other) !== isName(token)) return undefined
    if (!isName(token) && other.text !== token.text) return undefined
    if ((names.get(token.text) ?? other.text) !== other.text) return undefined
    if (isName(token)) names.set(token.text, other.text)
    if (isName(token) && token.text === other.text) kept++
  }
  const last = input[index + wanted.length - 1]
  return last && { start: input[index]!.start, end: last.start + last.text.length, names, kept }
}

const renamed = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(new RegExp(word, 'g'), (name) => names.get(name) ?? name)
