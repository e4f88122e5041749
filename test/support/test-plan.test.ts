import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { type Fifth, fifthOf } from '../../scripts/test/doubled.ts'
import type { Durations } from '../../scripts/test/durations.ts'
import { readMarks } from '../../scripts/test/marks.ts'
import { inOrder } from '../../scripts/test/order.ts'
import { planParts } from '../../scripts/test/parts.ts'
import type { ReportLine } from '../../scripts/test/records.ts'
import { itemsOfShard } from '../../scripts/test/shard.ts'
import { compareReports } from '../../scripts/test-reports/compare.ts'
import { countFlaky } from '../../scripts/test-reports/flaky.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const day = 86_400_000
const plan = (fifth: Fifth): string[] =>
  planParts({ only: [], patterns: [], fifth }).flatMap(({ name, files }) => files.map((file) => `${name} ${file}`))

test('each push runs every file, and five days of pushes run them on both databases', () => {
  const fifths = Array.from({ length: 5 }, (_, number) => fifthOf(new Date(number * day)))
  const plans = fifths.map(plan)
  // At night, files about the embedded database also run on the server.
  const night = plan('all')
  const pushed = new Set(plans.flat())
  const onlyAtNight = night.filter((item) => !pushed.has(item))
  for (const [part, file = ''] of onlyAtNight.map((item) => item.split(' ')))
    assert.ok(part === 'postgres' && readMarks(file).isAboutEmbedded, file)
  const files = globSync('test/**/*.test.ts').sort()
  for (const one of plans) {
    assert.deepEqual([...new Set(one.map((item) => item.split(' ')[1]))].sort(), files)
    assert.ok(one.length < night.length)
  }
})

const items = Array.from({ length: 20 }, (_, number) => ({ part: { name: 'embedded' }, file: `${number}.test.ts` }))
const durations: Durations = {
  share: 1,
  files: {
    embedded: Object.fromEntries(items.map(({ file }, number) => [file, { cpu: number + 1, seconds: number }])),
  },
}

test('shards divide the files among them, by their CPU time', () => {
  const shards = [1, 2, 3].map((number) => itemsOfShard(items, durations, { number, count: 3 }))
  assert.deepEqual(new Set(shards.flat()), new Set(items))
  assert.equal(shards.flat().length, items.length)
  const totals = shards.map((shard) => shard.reduce((sum, { file }) => sum + durations.files.embedded![file]!.cpu, 0))
  assert.ok(Math.max(...totals) - Math.min(...totals) <= 2, totals.join())
})

test('a seed repeats an order, which begins with the longest files', () => {
  const order = (seed: string) => inOrder(items, durations, seed).map(({ file }) => file)
  assert.deepEqual(order('a'), order('a'))
  assert.notDeepEqual(order('a'), order('b'))
  assert.deepEqual(order('a').slice(0, 4), ['19.test.ts', '18.test.ts', '17.test.ts', '16.test.ts'])
  assert.deepEqual(order('a').toSorted(), items.map(({ file }) => file).toSorted())
})

const line = (part: string, file: string, names: string[], more: Partial<ReportLine> = {}): ReportLine => ({
  part,
  file,
  isFlaky: false,
  failed: 0,
  cpu: 1,
  seconds: 1,
  tests: names.map((name) => ({ name, outcome: 'passed' })),
  ...more,
})

test('a comparison names the tests that are gone, that moved, and that run in fewer parts', () => {
  const before = [
    line('embedded', 'a', ['kept', 'doubled', 'gone', 'moved', 'after 60 cuts']),
    line('postgres', 'a', ['doubled', 'moved']),
  ]
  const after = [
    line('embedded', 'a', ['kept', 'new', 'after 20 cuts']),
    line('postgres', 'a', ['doubled']),
    line('embedded', 'b', ['moved']),
  ]
  const { lines, lost } = compareReports(before, after)
  assert.equal(lost, 1)
  assert.deepEqual(lines, [
    'tests that no longer run: 1',
    '  a: gone\n    was in embedded',
    '',
    'tests that run in fewer parts: 2',
    '  a: doubled\n    no longer in embedded, still in postgres',
    '  b: moved\n    no longer in postgres, still in embedded',
    '',
    'tests that moved: 2',
    '  a: after 20 cuts\n    was a: after 60 cuts',
    '  b: moved\n    was a: moved',
    '',
    'tests that are new: 1',
    '  a: new',
    '',
    '5 tests before, 5 after: 1 gone, 2 moved, 1 new, 2 in fewer parts',
    '7 runs of tests before, 5 after',
  ])
})

test('flaky files of several runs are added up', () => {
  const run = [
    line('embedded', 'a', [], { isFlaky: true }),
    line('postgres', 'a', []),
    line('nodes', 'b', [], { failed: 2 }),
  ]
  const { lines, flaky } = countFlaky([run, [line('embedded', 'a', [], { isFlaky: true })], []])
  assert.deepEqual(lines, [
    'a (embedded): 2 times flaky, 0 times failed',
    'b (nodes): 0 times flaky, 1 times failed',
    '2 flaky or failed files in 3 runs',
  ])
  assert.equal(flaky, 2)
})

test('the names of tests are listed without running them', async () => {
  const file = join(temporaryDirectory('names'), 'a.test.ts')
  writeFileSync(
    file,
    `import { before, describe, it, test } from 'node:test'
     before(() => { throw new Error('a hook ran') })
     test('first', () => { throw new Error('a test ran') })
     test.skip('skipped')
     describe('suite', { concurrency: true }, () => {
       describe('inner', async () => {
         await undefined
         it('late', { skip: true }, () => {})
       })
       test('second', { timeout: 5 }, () => {})
     })`,
  )
  const program = join(import.meta.dirname, '../../scripts/test-reports/list-tests.ts')
  const { stdout } = await promisify(execFile)(process.execPath, [program, file])
  assert.deepEqual(JSON.parse(stdout), {
    file,
    names: ['first', 'skipped', 'suite > second', 'suite > inner > late'],
  })
})
