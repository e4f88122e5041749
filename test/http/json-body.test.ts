import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseJson } from '../../src/http/parsing/json-body.ts'
import { repeatedName, scanJson } from '../../src/http/parsing/json-scan.ts'
import { AppError } from '../../src/lib/errors.ts'

const parse = (text: string): unknown => parseJson(Buffer.from(text))

/** The value from `JSON.parse`, or undefined if it rejects the text. */
function parsedByPlatform(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** JSON with arbitrary whitespace and escapes, and possibly duplicate names. */
type Written = { text: string; repeats: boolean; depth: number; members: number }
const blank = fc.stringMatching(/^[ \t\r\n]{0,2}$/)
const name = fc.constantFrom('a', 'b', 'email', 'constructor', 'ключ', '"\\')
const leaf = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.constant('{"a":1,"a":[[]]}'),
)

const written = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf.map((value): Written => ({ text: JSON.stringify(value), repeats: false, depth: 0, members: 0 })),
    fc.tuple(fc.array(tie('value'), { maxLength: 4 }), blank).map(([items, space]) => list(items, space)),
    fc.array(fc.tuple(name, fc.boolean(), tie('value'), blank), { maxLength: 4 }).map(object),
  ),
})).value

const list = (items: Written[], space: string): Written => ({
  ...inside(items),
  text: `[${items.map(({ text }) => space + text).join(',')}${space}]`,
})

function object(members: [string, boolean, Written, string][]): Written {
  const given = members.map(
    ([key, escaped, { text }, space]) => `${space}${quoted(key, escaped)}${space}:${space}${text}${space}`,
  )
  const below = inside(members.map(([, , value]) => value))
  const isRepeated = new Set(members.map(([key]) => key)).size < members.length
  return {
    ...below,
    text: `{${given.join(',')}}`,
    repeats: below.repeats || isRepeated,
    members: below.members + members.length,
  }
}

const inside = (items: Written[]) => ({
  repeats: items.some(({ repeats }) => repeats),
  depth: 1 + Math.max(0, ...items.map(({ depth }) => depth)),
  members: items.reduce((sum, { members }) => sum + members, 0),
})

const quoted = (text: string, escaped: boolean): string =>
  escaped
    ? `"${[...text].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`
    : JSON.stringify(text)

test('the scan counts depth and members of any JSON as they are written', () => {
  fc.assert(
    fc.property(written, ({ text, depth, members }) => {
      assert.deepEqual(scanJson(text), { depth, members })
    }),
  )
})

test('a body is read as the platform reads it, unless a name comes twice', () => {
  fc.assert(
    fc.property(written, ({ text, repeats, depth }) => {
      fc.pre(depth <= 20 && !text.includes('\\u0000'))
      assert.equal(repeatedName(text) !== undefined, repeats)
      if (repeats) assert.throws(() => parse(text), isTwice)
      else assert.deepEqual(parse(text), JSON.parse(text))
    }),
    { numRuns: 500 },
  )
})

test('whatever the platform writes is read back', () => {
  const isOurs = (text: string) => !/__proto__|\\u0000|\\ud[89a-f]/.test(text)
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }).filter(isOurs), (text) => {
      assert.deepEqual(parse(text), JSON.parse(text))
    }),
  )
})

test('whatever the platform refuses is refused with a clear answer, and nothing else ever escapes', () => {
  const noise = fc.oneof(
    fc.string(),
    fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'u', '0', 'a', ' ', '\n') }),
    fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 2 })).map(([text, at, change]) => {
      const cut = at % (text.length + 1)
      return text.slice(0, cut) + change + text.slice(cut + 1)
    }),
  )
  fc.assert(
    fc.property(
      noise.filter((text) => text !== ''),
      (text) => {
        const expected = parsedByPlatform(text)
        try {
          const value = parse(text)
          assert.ok(expected)
          assert.deepEqual(value, expected.value)
        } catch (error) {
          assert.ok(error instanceof AppError && error.code === 'VALIDATION_ERROR', String(error))
        }
      },
    ),
    { numRuns: 1_000 },
  )
})

test('20 levels are read and 21 are not, whatever is nested', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['{"a":', '}'],
  ] as const) {
    const nest = (levels: number) => `${open.repeat(levels)}0${close.repeat(levels)}`
    assert.doesNotThrow(() => parse(nest(20)))
    assert.throws(() => parse(nest(21)), /not valid/)
  }
})

const isTwice = (error: unknown): boolean =>
  error instanceof AppError && error.details?.[0]?.message === 'is given twice'

test('a byte order mark before the text is ignored', () => {
  assert.deepEqual(parse('\ufeff{"a":1}'), { a: 1 })
  assert.throws(() => parse('\ufeff'), AppError)
  assert.throws(() => parse('\ufeff{"a":1,"a":1}'), AppError)
})
