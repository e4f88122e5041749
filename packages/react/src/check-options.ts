/** The allowed type of a member of an options object. */
export interface Kind {
  accepts(value: unknown): boolean
  /** Completes the sentence "… must be". */
  description: string
}

/** The members of an options object. */
export type Members<Options> = { readonly [Name in keyof Required<Options>]: Kind }

export const kind = (description: string, accepts: (value: unknown) => boolean): Kind => ({ description, accepts })

export const text = kind('a string', (value) => typeof value === 'string')
export const flag = kind('true or false', (value) => typeof value === 'boolean')
export const callable = kind('a function', (value) => typeof value === 'function')
export const object = kind('an object', (value) => typeof value === 'object' && value !== null)
export const anything = kind('any value', () => true)
/** An object with these functions. It can have other members, and can inherit the functions. */
export const withFunctions = (...names: string[]): Kind =>
  kind(`an object with the functions ${names.join(', ')}`, (value) =>
    names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'function'),
  )
export const listOfText = kind(
  'an array of strings',
  (value) => Array.isArray(value) && [...value].every((item) => typeof item === 'string' && item !== ''),
)
/** A string of this form. */
export const textLike = (description: string, form: RegExp): Kind =>
  kind(description, (value) => typeof value === 'string' && form.test(value))
export const oneOf = (...values: string[]): Kind =>
  kind(values.map((value) => `'${value}'`).join(' or '), (value) => values.includes(value as string))
export const wholeNumber = (least: number, unit = ''): Kind =>
  kind(`a whole number${unit}, at least ${least}`, (value) => Number.isSafeInteger(value) && (value as number) >= least)
/** Several kinds are permitted. */
export const either = (...kinds: Kind[]): Kind =>
  kind(kinds.map(({ description }) => description).join(' or '), (value) => kinds.some(({ accepts }) => accepts(value)))

interface Strictness {
  /** Whether `undefined` is refused. Elsewhere, it means that the member is absent. */
  rejectUndefined?: boolean
}

/** Lists unknown members and members of a wrong kind. A misspelt option would otherwise have no effect. */
export function problemsOf<Options>(
  given: unknown,
  members: Members<Options>,
  { rejectUndefined = false }: Strictness = {},
): string[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return ['the options must be an object']
  const known: Readonly<Record<string, Kind>> = members
  const problems: string[] = []
  // Includes inherited members, because reading a member includes them, too.
  for (const name in given) {
    const value = (given as Record<string, unknown>)[name]
    const permitted = Object.hasOwn(known, name) ? known[name] : undefined
    if (!permitted) problems.push(unknownMember(name, Object.keys(known)))
    else if (value === undefined && rejectUndefined) problems.push(`${name} is undefined; omit it, or set it`)
    else if (value !== undefined && !permitted.accepts(value)) problems.push(`${name} must be ${permitted.description}`)
  }
  return problems
}

/** Throws a TypeError that lists all problems. */
export function checkOptions<Options>(what: string, given: unknown, members: Members<Options>): void {
  const problems = given === undefined ? [] : problemsOf(given, members)
  if (problems.length > 0) throw new TypeError(`${what}: ${problems.join('; ')}`)
}

function unknownMember(name: string, known: string[]): string {
  const [nearest] = known
    .map((one) => ({ one, distance: distanceOf(plain(one), plain(name)) }))
    .filter(({ distance }) => distance <= Math.max(1, name.length / 3))
    .sort((a, b) => a.distance - b.distance)
  const hint = nearest ? `did you mean ${nearest.one}?` : `the members are ${known.join(', ')}`
  return `unknown member ${name}; ${hint}`
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')

/** The number of letters to insert, delete or replace (Levenshtein distance). */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, otherLetter] of [...other].entries())
      next.push(Math.min(next[column]! + 1, row[column + 1]! + 1, row[column]! + (letter === otherLetter ? 0 : 1)))
    row = next
  }
  return row[other.length]!
}
