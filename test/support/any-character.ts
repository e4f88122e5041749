import fc from 'fast-check'

const [firstSurrogate, surrogates] = [0xd800, 0x800]

/**
 * Every Unicode character. `unit: 'binary'` generates the same, but first builds a table of all of them, which takes a
 * second of CPU time and 100 MB.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.integer({ min: 0, max: 0x10ffff - surrogates }).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates),
  (character) => indexOf(character),
)

/** With this function, `fc.string` also generates the texts that it considers dangerous, such as `__proto__`. */
function indexOf(character: unknown): number {
  const point = typeof character === 'string' ? character.codePointAt(0) : undefined
  if (point === undefined || character !== String.fromCodePoint(point) || !String(character).isWellFormed())
    throw new Error('This is not one character')
  return point < firstSurrogate ? point : point - surrogates
}
