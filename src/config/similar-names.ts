export interface NameSuggestion {
  closest?: string
  group: string[]
}

/** Many programs use these words, so sharing one of them does not make a name similar to a setting. */
const commonWords = new Set(
  (
    'ACCOUNT API APP APPLE AUTH BASE CACHE CHECK CLIENT COUNTRIES DATA DEFAULT DIR DISCORD EMAIL ENABLED ENV FACEBOOK ' +
    'FILE FROM GITHUB GOOGLE HOST HOSTS ID IDS KEY KEYS LANG LEVEL LOG LOGIN MAIL MAX MEMORY METHODS MICROSOFT MODE MODULE ' +
    'MODULES NAME NODE PASSWORD PER POST PORT PRIVATE PUBLIC ROLES RUN RUNTIME SCOPE SECRET SECRETS SERVICE SID STATE TEAM TENANT ' +
    'TIME TIMEOUT TITLE TOKEN TTL TYPES URL USER VERSION WEBHOOK'
  ).split(' '),
)

/** Each of these common words identifies a group of settings if a name begins with it. */
const groupWords = new Set(['AUTH', 'DATA', 'EMAIL', 'LOG', 'MAIL', 'PASSWORD', 'PUBLIC'])

/** Returns undefined if the name is probably not intended as a setting. */
export function suggestName(name: string, settings: readonly string[]): NameSuggestion | undefined {
  const inCapitals = name.toUpperCase()
  if (name !== inCapitals) return name.includes('_') && settings.includes(inCapitals) ? only(inCapitals) : undefined
  const misspelt = nearestFirst(
    name,
    settings.filter((setting) => isMisspelling(name, setting)),
  )
  if (misspelt[0]) return only(misspelt[0])
  const words = wordsOf(name)
  const byWords = nearestFirst(
    name,
    settings.filter((setting) => isAlike(words, wordsOf(setting))),
  )
    .map((setting) => ({ setting, shared: sharedWords(words, wordsOf(setting)).length }))
    .sort((one, other) => other.shared - one.shared)
  if (byWords[0]) return only(byWords[0].setting)
  const group = words.length > 1 ? settings.filter((setting) => isOfGroup(words, wordsOf(setting))) : []
  return group.length > 0 ? { group: group.filter((one) => !one.endsWith('_FILE')) } : undefined
}

export const nearestFirst = (name: string, settings: readonly string[]): string[] =>
  settings
    .map((setting) => ({ setting, wrong: distance(name, setting) }))
    .sort((one, other) => one.wrong - other.wrong)
    .map(({ setting }) => setting)

const only = (closest: string): NameSuggestion => ({ closest, group: [] })

const wordsOf = (name: string): string[] => name.split('_').filter((word) => word !== '')

/** Skips setting names shorter than six characters because too many names are similar to them. */
function isMisspelling(name: string, setting: string): boolean {
  if (setting.length < 6 || Math.abs(name.length - setting.length) > 2) return false
  const wrong = distance(name, setting)
  return wrong === 1 || (wrong === 2 && (setting.length >= 12 || isTransposed(name, setting)))
}

const isTransposed = (one: string, other: string): boolean => {
  const letters = (text: string) => [...text].sort().join('')
  return letters(one) === letters(other)
}

const isAlike = (words: string[], known: string[]): boolean =>
  known.some((word) => isSameWord(words[0] ?? '', word)) &&
  (sharesPrefix(words, known) || sharesEnough(words, sharedWords(words, known)))

const sharesEnough = (words: string[], shared: string[]): boolean =>
  shared.length >= 2 &&
  shared.length >= words.length - 1 &&
  shared[0] === words[0] &&
  shared.some((word) => !isCommon(word))

const isCommon = (word: string): boolean => commonWords.has(word) || commonWords.has(`${word}S`)

const sharesPrefix = ([first, second]: string[], [known, next]: string[]): boolean =>
  second !== undefined && first === known && second === next

function isOfGroup([first = '']: string[], [known = '', next]: string[]): boolean {
  if (next === undefined || !isSameWord(first, known)) return false
  return !isCommon(known) || (groupWords.has(known) && first === known)
}

function sharedWords(words: string[], known: string[]): string[] {
  const [first, ...rest] = words
  if (first === undefined || known.length === 0) return []
  const without = sharedWords(rest, known)
  const at = known.findIndex((word) => isSameWord(first, word))
  if (at < 0) return without
  const having = [first, ...sharedWords(rest, known.slice(at + 1))]
  return having.length >= without.length ? having : without
}

function isSameWord(word: string, known: string): boolean {
  if (word === known || `${word}S` === known || word === `${known}S`) return true
  if (known.length < 6 || Math.abs(word.length - known.length) > 1) return false
  const wrong = distance(word, known)
  return wrong === 1 || (wrong === 2 && isTransposed(word, known))
}

/** The Levenshtein distance. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, replaced))
    }
    previous = current
  }
  return previous[right.length] ?? 0
}
