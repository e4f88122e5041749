/** Where a mutant applies: the range of the source to replace, and the text to put there. */
export interface Location {
  start: number
  end: number
  replacement: string
}

/**
 * Finds the code that a mutant changes. Text that occurs exactly once is used directly. Otherwise the code is found by
 * its structure: layout does not matter, and names may differ, so that the list of mutants survives renaming and
 * reformatting. Undefined if nothing has this structure, if less than half of the names match, or if two places match
 * equally well.
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
  /** Maps names in the list to names in the source. */
  names: Map<string, string>
  /** The number of names that are the same in both. */
  kept: number
}

const word = /[A-Za-z_$][\w$]*/
const tokens = new RegExp(`${word.source}|\\d+|\\S`, 'g')

/** A comma before a closing bracket counts as layout. */
const tokensOf = (text: string): Token[] =>
  [...text.matchAll(tokens)]
    .map((match) => ({ text: match[0], start: match.index }))
    .filter(({ text }, index, all) => text !== ',' || !/^[)\]}]$/.test(all[index + 1]?.text ?? ''))

/** Keywords have a fixed meaning, and so do SQL keywords, which are written in capitals. */
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
