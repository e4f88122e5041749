const initials = 'g kk n d tt r m b pp s ss  j jj ch k t p h'.split(' ')
const vowels = 'a ae ya yae eo e yeo ye o wa wae oe yo u wo we wi yu eu ui i'.split(' ')
const finals = ' k k k n n n t l k m p l l p l m p p t t ng t t k t p t'.split(' ')
const first = 0xac00

/** Returns a Hangul syllable in Revised Romanization, without the changes between syllables. */
export function syllableOf(character: string): string {
  const at = (character.codePointAt(0) ?? first) - first
  const [initial, vowel, final] = [Math.floor(at / 588), Math.floor((at % 588) / 28), at % 28]
  return `${initials[initial]}${vowels[vowel]}${finals[final]}`
}
