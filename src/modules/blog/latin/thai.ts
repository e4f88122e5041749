/** From U+0E01. Lao has the same layout 128 characters later. */
const letters = [
  ...'k kh kh kh kh kh ng ch ch ch s ch y d t th th th n d t th th th n b p ph f ph f ph m y r rue l lue w'.split(' '),
  ...'s s s h l o h  a a a a i i ue ue u u'.split(' '),
]
const vowels = 'e ae o ai ai a'.split(' ')

/** The vowels at U+0E40 to U+0E44 are written before the consonant that they follow in speech. */
export function thaiWord(word: string): string {
  const codes = [...word].map((character) => ((character.codePointAt(0) ?? 0) - 0x0e00) % 128)
  return codes
    .map((code, at) => {
      if (isLeading(code)) return isConsonant(codes[at + 1]) ? '' : vowels[code - 0x40]
      const before = codes[at - 1] ?? 0
      const vowel = isConsonant(code) && isLeading(before) ? vowels[before - 0x40] : ''
      return letterAt(code) + vowel
    })
    .join('')
    .replaceAll('^a', 'am')
    .replaceAll('^', '')
}

const isLeading = (code: number): boolean => code >= 0x40 && code <= 0x44
const isConsonant = (code = 0): boolean => code >= 1 && code <= 0x2e

function letterAt(code: number): string {
  if (code >= 0x50 && code <= 0x59) return String(code - 0x50)
  // NFKC divides the vowel `am` into this mark and an `a`.
  if (code === 0x4d) return '^'
  return letters[code - 1] ?? (code === 0x45 ? 'a' : '')
}
