import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createJudge } from '../../scripts/mutants/judge.ts'
import type { Counterparts } from '../../scripts/test/counterparts.ts'
import { type Part, planParts } from '../../scripts/test/parts.ts'
import type { Mutant } from './list.ts'

const files = {
  'test/checks.test.mjs': 'test("a", () => { if (sum(1, 2) !== 3) throw new Error("wrong") })',
  'test/ignores.test.mjs': 'test("b", () => sum(1, 2))',
  'test/crashes.test.mjs': 'if (sum(1, 2) !== 3) process.exit(7); test("c", () => {})',
  'test/fails.test.mjs': 'test("d", () => { throw new Error("always") })',
  'test/skipped.test.mjs': 'test("e", { skip: true }, () => {})',
}
const source = 'export const sum = (a, b) => a + b\n'

let tree: string
before(async () => {
  tree = await mkdtemp(join(tmpdir(), 'wardenry-judge-'))
  for (const folder of ['src', 'test']) await mkdir(join(tree, folder))
  await writeFile(join(tree, 'package.json'), '{"type":"module"}')
  await writeFile(join(tree, 'src/sum.mjs'), source)
  const imports = "import { test } from 'node:test'\nimport { sum } from '../src/sum.mjs'\n"
  for (const [file, text] of Object.entries(files)) await writeFile(join(tree, file), imports + text)
})
after(() => rm(tree, { recursive: true }))

const counterparts: Counterparts = {
  missing: new Map([['chromium', 'no Chromium found']]),
  unmet: [],
  envFor: ({ name }) => ({ ...process.env, NODE_TEST_CONTEXT: undefined, NO_COLOR: '1', PART: name }),
  close: async () => {},
}
const [part] = planParts({ only: ['embedded'], patterns: ['test/mutants/judge.test.ts'] })
const partWith = (more: Partial<Part> = {}): Part => ({ ...part!, files: Object.keys(files), ...more })

const mutant = (more: Partial<Mutant>): Mutant => ({
  rule: 'numbers are added',
  file: 'src/sum.mjs',
  from: 'a + b',
  to: 'a - b',
  test: 'test/checks.test.mjs',
  ...more,
})

for (const [file, verdict, reason] of [
  ['test/checks.test.mjs', 'red', undefined],
  ['test/ignores.test.mjs', 'survived', undefined],
  ['test/crashes.test.mjs', 'broken', /^ended with code 7/],
  ['test/fails.test.mjs', 'unwatched', /^0 passed, 1 failed/],
  ['test/skipped.test.mjs', 'unwatched', /^0 passed, 0 failed, 1 skipped/],
  ['test/missing.test.mjs', 'unwatched', /^no part/],
] as const) {
  test(`the verdict of ${file} is "${verdict}"`, async () => {
    const [judgement, ...others] = await createJudge([partWith()], counterparts)(tree, mutant({ test: file }))
    assert.equal(judgement?.verdict, verdict)
    assert.match(judgement.reason ?? '', reason ?? /^$/)
    assert.deepEqual(others, [])
    assert.equal(await readFile(join(tree, 'src/sum.mjs'), 'utf8'), source)
  })
}

test('each of several test files has a verdict', async () => {
  const test = ['test/checks.test.mjs', 'test/ignores.test.mjs']
  const judgements = await createJudge([partWith()], counterparts)(tree, mutant({ test }))
  assert.deepEqual(
    judgements.map((one) => one.verdict),
    ['red', 'survived'],
  )
})

test('a mutant whose code is not found is stale', async () => {
  const [judgement] = await createJudge([partWith()], counterparts)(tree, mutant({ from: 'a * (b)' }))
  assert.equal(judgement?.verdict, 'stale')
})

test('a mutant that survives in one part is judged in the next one, but not where a program is missing', async () => {
  const file = 'test/embedded.test.mjs'
  await writeFile(
    join(tree, file),
    `import { test } from 'node:test'
    import { sum } from '../src/sum.mjs'
    test('f', () => { if (process.env.PART !== 'postgres' && sum(1, 2) !== 3) throw new Error('wrong') })`,
  )
  const onServer = partWith({ name: 'postgres', setup: 'postgres', files: [file] })
  const verdict = async (parts: Part[]) =>
    (await createJudge(parts, counterparts)(tree, mutant({ test: file })))[0]?.verdict
  assert.equal(await verdict([onServer]), 'survived')
  assert.equal(await verdict([partWith({ files: [file] }), onServer]), 'red')
  assert.equal(await verdict([onServer, partWith({ needs: ['chromium'], files: [file] })]), 'survived')
})
