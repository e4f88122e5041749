// Estimates the strength of a password. Only the service has lists of known passwords.

/** `short`, `weak`, `fair` or `strong`. */
export function judge(password, { shortest, words }) {
  const { length } = [...password]
  if (length < shortest) return 'short'
  const plain = core(password)
  const isKnown = [...words, ...favourites].some((word) => word && plain === core(word))
  if (isKnown || /^\s+$/u.test(password) || varietyOf(password) < 5) return 'weak'
  return length >= 16 || (length >= 12 && kindsOf(password) >= 3) ? 'strong' : 'fair'
}

const favourites = 'password passwort contraseña qwerty qwertyuiop asdfghjkl letmein welcome iloveyou admin'.split(' ')

// Removes digits, symbols and spaces from both ends of a password: `  Password123!!` becomes `password`.
const core = (text) => text.toLowerCase().replace(/^[\s\d\W_]+|[\s\d\W_]+$/gu, '') || text.toLowerCase()

/** Counts the different steps between adjacent characters. `aaaaaaaa`, `abcdefgh` and `12341234` have few steps. */
function varietyOf(password) {
  const points = [...password].map((character) => character.codePointAt(0))
  return new Set(points.map((point, index) => point - (points[index - 1] ?? 0))).size
}

const kindsOf = (password) => [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length
