import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { compareWithExplained, type Explained } from '../../scripts/coverage/explained-lines.ts'
import { readProfiles } from '../../scripts/coverage/read-profiles.ts'
import { unreachedLines } from '../../scripts/coverage/unreached-lines.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const program = `interface Pair {
  one: string
}
// A comment.
function ratio(pair: Pair, given: number | undefined): number {
  const text = pair.one as string
  if (text === 'a') return 1
  if (given === undefined) {
    // Another comment.
    return 2
  }
  return given > 5 ? given : -given
}
function unused(
  first: string,
): string {
  type Local = {
    two: string
  }
  return first
}
const [kind] = process.argv.slice(2)
ratio({ one: kind ?? '' }, kind === 'c' ? 7 : undefined)
void (kind ?? '')
void unused
`

/** Runs the program once with each argument, and returns the lines that no run reaches. */
function unreachedBy(...runs: string[]): string[] {
  const folder = temporaryDirectory('coverage')
  const file = join(folder, 'program.ts')
  const profiles = join(folder, 'profiles')
  writeFileSync(file, program)
  for (const argument of runs)
    execFileSync(process.execPath, [file, argument], { env: { ...process.env, NODE_V8_COVERAGE: profiles } })
  const url = pathToFileURL(file).href
  const found = unreachedLines(file, readFileSync(file, 'utf8'), readProfiles(profiles, new Set([url])).get(url) ?? [])
  return found.map(({ number, text }) => `${number} ${text}`)
}

test('finds the lines with code that no process has reached', () => {
  const ofFunction = ['14 function unused(', '15 first: string,', '20 return first']
  assert.deepEqual(unreachedBy('c'), [
    "7 if (text === 'a') return 1",
    '10 return 2',
    '12 return given > 5 ? given : -given',
    ...ofFunction,
    "23 ratio({ one: kind ?? '' }, kind === 'c' ? 7 : undefined)",
  ])
  assert.deepEqual(unreachedBy('a', 'b', 'c'), ['12 return given > 5 ? given : -given', ...ofFunction])
})

test('every unreached line needs its own explanation, and every explanation an unreached line', () => {
  const lines = [
    { number: 1, text: 'return undefined' },
    { number: 5, text: 'return undefined' },
    { number: 7, text: 'return 1' },
  ]
  const explain = (...listed: string[]) =>
    compareWithExplained([{ file: 'a.ts', lines }], [{ file: 'a.ts', lines: listed, reason: '' }])
  assert.deepEqual(explain('return undefined', 'return 1', 'return undefined'), [])
  assert.deepEqual(explain('return undefined', 'return 2'), [
    'unreached and not explained: a.ts:5 return undefined',
    'unreached and not explained: a.ts:7 return 1',
    'explained, but reached or absent: a.ts return 2',
  ])
})

test('every explained line exists, and has a reason', () => {
  const explained = JSON.parse(readFileSync('test/unreached-lines.json', 'utf8')) as Explained[]
  for (const { file, lines, reason } of explained) {
    const found = readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
    assert.ok(lines.length > 0 && reason.endsWith('.'), file)
    assert.deepEqual(
      lines.filter((line) => !found.includes(line)),
      [],
      file,
    )
  }
})
