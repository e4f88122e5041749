import { readingOf } from './chinese.ts'
import { indicWord } from './indic.ts'
import { kanaWord } from './japanese.ts'
import { syllableOf } from './korean.ts'
import { thaiWord } from './thai.ts'

const hebrew = 'a b g d h v z h t y k k l m m n n s a p p ts ts k r sh t'.split(' ')

const scripts: readonly [RegExp, (text: string) => string][] = [
  [/[\u3041-\u3096\u30a1-\u30f6\u30fc]+/g, kanaWord],
  [/\p{Script=Han}/gu, (character) => ` ${readingOf(character)} `],
  [/[\uac00-\ud7a3]/g, syllableOf],
  [/[\u0900-\u0d7f]+/g, indicWord],
  [/[\u0e01-\u0ed9]+/g, thaiWord],
  [/[\u05d0-\u05ea]/g, (letter) => hebrew[letter.charCodeAt(0) - 0x5d0] ?? ''],
]

/** The letters of scripts that neither this file nor slugify transliterates. */
const untabled =
  /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Common}\p{Script=Inherited}])[\p{L}\p{Mn}\p{Mc}]/gu

/** Replaces letters by Latin ones, or by the numbers of their characters. Leaves out what slugify transliterates. */
export function toLatin(text: string): string {
  const latin = scripts.reduce((left, [form, read]) => left.replace(form, read), text)
  return latin.replace(/[\u0591-\u05c7]/g, '').replace(untabled, numberOf)
}

/** Emoji and other symbols, by the numbers of their characters. */
export const symbolsOf = (text: string): string =>
  [...text].map((character) => (/[\p{S}\p{RI}]/u.test(character) ? numberOf(character) : ' ')).join('')

const numberOf = (character: string): string => ` ${character.codePointAt(0)?.toString(16)} `
