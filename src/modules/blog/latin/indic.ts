/**
 * The scripts of India have the same layout in Unicode, in blocks of 128 characters that begin with Devanagari and end
 * with Malayalam. A consonant contains the vowel `a`, unless a vowel sign follows.
 */
const consonants = [
  ...'k kh g gh n ch chh j jh n t th d dh n t th d dh n n p ph b bh m y r r l l zh v sh sh s h'.split(' '),
]
const others = new Map<number, string>([
  ...numbered(0x01, 'n n h'),
  ...numbered(0x05, 'a a i i u u ri l e e e ai o o o au'),
  ...numbered(0x4e, 't'),
  ...numbered(0x66, '0 1 2 3 4 5 6 7 8 9 n'),
  ...numbered(0x7a, 'n n r l l k'),
])
const vowelSigns = new Map(numbered(0x3e, 'a i i u u ri ri e e e ai o o o au'))
const late = new Map(numbered(0x58, 'q kh g z r rh f y'))
const [nukta, virama, auMark] = [0x3c, 0x4d, 0x57]

function numbered(from: number, texts: string): [number, string][] {
  return texts.split(' ').map((text, at) => [from + at, text])
}

const consonantAt = (offset: number): string | undefined => consonants[offset - 0x15] ?? late.get(offset)

/** Before Tamil, the vowel of the last consonant of a word is silent. */
const tamil = 0x0b80

export function indicWord(word: string): string {
  const codes = [...word].map((character) => character.codePointAt(0) ?? 0).filter((code) => code % 128 !== nukta)
  return codes
    .map((code, at) => {
      const offset = code % 128
      const consonant = consonantAt(offset)
      if (consonant === undefined)
        return vowelSigns.get(offset) ?? others.get(offset) ?? (offset === auMark ? 'au' : '')
      const next = (codes[at + 1] ?? 0) % 128
      const isLast = at === codes.length - 1
      if (next === virama || next === auMark || vowelSigns.has(next)) return consonant
      return isLast && at > 0 && code < tamil ? consonant : `${consonant}a`
    })
    .join('')
}
