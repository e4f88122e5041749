import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'

const runner = join(import.meta.dirname, '../../scripts/test.ts')
const nothingInstalled = {
  POSTGRES_BIN: '/nowhere',
  REDIS_BIN: '/nowhere/redis',
  NGINX_BIN: '/nowhere/nginx',
  HAPROXY_BIN: '/nowhere/haproxy',
  CHROMIUM_BIN: '/nowhere/chromium',
}

const oneCore = availableParallelism() < 2 && 'on one core no file runs beside another'
const passing = "import { test } from 'node:test'\ntest('a', () => {})\n"

test('a green run counts all its tests in the last line', async () => {
  const { code, lines } = await run({ 'test/a.test.ts': passing, 'test/deep/b.test.ts': passing })
  assert.equal(lines.at(-1), '2 passed, 0 failed, 0 skipped')
  assert.equal(code, 0)
})

test('a failing test is shown with its error and its place, and fails the run', async () => {
  const failing = "test('b', () => { throw new Error('not so') })\ntest('c', { skip: 'no moon' }, () => {})\n"
  const { code, lines, output } = await run({ 'test/a.test.ts': passing + failing })
  assert.match(output, /test at test\/a\.test\.ts:3:1\n✖ b .*\n +Error: not so\n +at .*a\.test\.ts:3/)
  assert.match(output, /^FAIL .* test\/a\.test\.ts: 1 passed, 1 failed, 1 skipped \(no moon\)$/m)
  assert.equal(lines.at(-1), '1 passed, 1 failed, 1 skipped')
  assert.equal(code, 1)
})

test('an error in a callback fails the test that started it, also in a suite that waits before it declares its tests', async () => {
  const { lines, output } = await run({
    'test/a.test.ts': `import { describe, test } from 'node:test'
test('b', () => new Promise(() => setTimeout(() => { throw new Error('of b') }, 1)))
test('c', () => {})
describe('d', async () => {
  await new Promise((resolve) => setImmediate(resolve))
  describe('e', () => {
    test('f', () => new Promise((resolve) => { void Promise.reject(new Error('of f')); setTimeout(resolve, 50) }))
    test('g', (t) => t.test('h', () => new Promise((resolve) => setTimeout(resolve, 1))))
  })
})`,
  })
  assert.match(output, /^✖ b .*\n.*Error: of b/m)
  assert.match(output, /^✖ f .*\n.*Error: of f/m)
  assert.doesNotMatch(output, /^✖ [cgh] /m)
  assert.equal(lines.at(-1), '3 passed, 2 failed, 0 skipped')
})

/** The output of a failing file's second run. The first run's output is not printed. */
const storyOf = (output: string, n: number) =>
  output.split(/^(?=FAIL|ok)/m).find((part) => part.split('\n')[0]?.includes(` test/${n}.test.ts: `)) ?? ''

const crashes: [what: string, source: string, problem: RegExp][] = [
  ['throws while it is loaded', `${passing}throw new Error('at once')`, /Error: at once/],
  ['exits in the middle', `${passing}test('b', () => process.exit(0))`, /code 0 before its tests had reported/],
  ['is killed', `${passing}test('b', () => process.kill(process.pid, 'SIGKILL'))`, /ended by SIGKILL/],
  ['throws when its tests are over', `${passing}setTimeout(() => { throw new Error('late') }, 50)`, /Error: late/],
  ['rejects a promise without a handler', `${passing}setTimeout(() => Promise.reject(Error('lost')), 50)`, /lost/],
  ['declares no test', 'console.log(1)', /declares no test/],
  ['declares an empty suite', "import { describe } from 'node:test'\ndescribe('a', () => {})", /declares no test/],
  ['puts a test off', `${passing}test.todo('b', () => { throw new Error('later') })`, /Error: later/],
  ['fails after its tests', "import { after } from 'node:test'\nafter(() => { throw Error('at last') })", /at last/],
  ['leaves a process behind', passing + leaving(), /left behind: process \d+ \(.*setTimeout/],
  ['leaves a timer behind', `${passing}setInterval(() => {}, 1000)`, /left behind: 1 × Timeout/],
  ['leaves a server behind', listening(''), /left behind: 1 × TCPServerWrap/],
  ['leaves a socket behind', listening('s.unref(); connect(s.address().port)'), /left behind: . × TCPSocketWrap/],
  ['changes the environment', `${passing}process.env.CHANGED = '1'`, /changed the environment variable CHANGED/],
  [
    'listens to the process',
    `${passing}process.on('warning', () => {})`,
    /added a listener of the process for warning/,
  ],
  ['changes a global', `${passing}globalThis.changed = 1; globalThis.fetch = 2`, /global fetch\n.*global changed/],
  ['changes the directory', `${passing}process.chdir('/')`, /changed the working directory/],
  ['sets the exit code', `${passing}process.exitCode = 3`, /set the exit code/],
]
test('a file that does not report a full result fails the run', async () => {
  const files = crashes.map(([, source], n) => [`test/${n}.test.ts`, source])
  const { code, lines, output } = await run(Object.fromEntries(files), ['--all', '--limit', '10'])
  for (const [n, [what, , problem]] of crashes.entries()) {
    const story = storyOf(output, n)
    assert.match(story, /^FAIL/, `a file that ${what}`)
    assert.match(story, problem, `a file that ${what}`)
  }
  assert.equal(lines.filter((line) => line.startsWith('failed: test/')).length, crashes.length)
  assert.equal(code, 1)
})

test('a file that fails does not fail the files that share its process', { skip: oneCore }, async () => {
  const faults = crashes.map(([, source], n) => [`test/${n}.test.ts`, source])
  const innocent = `${passing}
test('finds the process as it was', async () => {
  const { CHANGED, PATH } = process.env
  if (CHANGED || !PATH || process.exitCode || typeof fetch !== 'function' || 'changed' in globalThis) throw 1
  if (process.cwd() === '/') throw 2
  if (process.listenerCount('warning') > 1) throw 3
})`
  const neighbours = crashes.map((_, n) => [`test/neighbour-${n}.test.ts`, innocent])
  const { output } = await run(Object.fromEntries([...faults, ...neighbours]), ['--all', '--limit', '10'])
  assert.equal(output.match(/^ok .* test\/neighbour-\d+\.test\.ts: 2 passed/gm)?.length, crashes.length)
  assert.deepEqual(output.match(/^(again|FAIL) .*neighbour.*$/gm), null)
})

test('a file that needs a process of its own says so, and a need that is unknown ends the run', async () => {
  const first = `${passing}globalThis.first = 1`
  const own = `// Setup: own process\n${passing}process.chdir('/')
test('alone', () => { if ('first' in globalThis) throw 1 })`
  const { output } = await run({ 'test/a.test.ts': passing, 'test/own.test.ts': own, 'test/first.test.ts': first })
  assert.match(output, /^ok .* test\/own\.test\.ts: 2 passed/m)
  const leaving = await run({ 'test/own.test.ts': `${own}\nsetInterval(() => {}, 1000)` }, ['--all', '--limit', '10'])
  assert.match(leaving.output, /left behind: 1 × Timeout/)
  const wrong = await run({ 'test/a.test.ts': `// Setup: own proces\n${passing}` })
  assert.match(wrong.output, /test\/a\.test\.ts: "\/\/ Setup: own proces" is unknown/)
  assert.notEqual(wrong.code, 0)
})

test('a file that never ends is stopped after its limit, has failed, and says what it was doing', async () => {
  const forEver = 'setInterval(() => {}, 1000)'
  const late: [what: string, source: string, told: RegExp][] = [
    ['that hangs in a test', `${passing}test('b', () => new Promise(() => ${forEver}))`, /^still running: b$/m],
    [
      'that failed before',
      `${passing}test('b', () => { throw new Error('not so') })\ntest('c', () => new Promise(() => ${forEver}))`,
      /failed before: b\n.*not so/,
    ],
    ['that is deaf', `${passing}test('b', () => { for (;;); })`, /stopped after 3 seconds/],
  ]
  const files = late.map(([, source], n) => [`test/${n}.test.ts`, source])
  const { code, lines, output } = await run(Object.fromEntries(files), ['--limit', '3'])
  for (const [n, [what, , told]] of late.entries()) {
    const story = storyOf(output, n)
    assert.match(story, /stopped after 3 seconds/, `a file ${what}`)
    assert.match(story, told, `a file ${what}`)
  }
  assert.deepEqual([code, lines.at(-1)], [1, `0 passed, ${late.length} failed, 0 skipped`])
  assert.doesNotMatch(output, /once more alone/)
})

test('a file that failed beside others runs once more alone: when it passes it is flaky', {
  skip: oneCore,
}, async () => {
  const unsteady = `import { existsSync, writeFileSync } from 'node:fs'
${passing}test('b', () => {
  if (existsSync('seen')) return
  writeFileSync('seen', '')
  throw new Error('the first time')
})`
  const files = { 'test/a.test.ts': passing, 'test/unsteady.test.ts': unsteady }
  const { code, lines, output } = await run(files)
  assert.match(output, /^again .* test\/unsteady\.test\.ts: 1 passed, 1 failed\n\n.*Error: the first time/ms)
  assert.match(output, /^repeat: npm test -- --only embedded test\/unsteady\.test\.ts$/m)
  assert.match(output, /^once more alone: 1 file that failed beside others\nok .* test\/unsteady\.test\.ts: 2 passed$/m)
  assert.doesNotMatch(output, /^FAIL/m)
  const flaky = 'flaky: test/unsteady.test.ts (embedded) failed beside others and passed alone'
  assert.deepEqual(lines.slice(-3), [flaky, '1 flaky: find what they wait for', '3 passed, 0 failed, 0 skipped'])
  assert.equal(code, 0)

  const onBuildMachine = await run(files, [], { CI: 'true' })
  assert.deepEqual(onBuildMachine.lines.slice(-2), lines.slice(-2))

  const steady = { 'test/a.test.ts': passing, 'test/b.test.ts': `${passing}test('b', () => { throw new Error('no') })` }
  const failed = await run(steady)
  assert.match(failed.output, /^again .* test\/b\.test\.ts.*^FAIL .* test\/b\.test\.ts/ms)
  assert.deepEqual(failed.lines.slice(-2), ['failed: test/b.test.ts (embedded)', '2 passed, 1 failed, 0 skipped'])
  assert.equal(failed.code, 1)

  const single = await run({ 'test/unsteady.test.ts': unsteady })
  assert.deepEqual([single.code, single.lines.at(-1)], [1, '1 passed, 1 failed, 0 skipped'])
})

test('many flaky files fail a build machine', { skip: oneCore }, async () => {
  const names = ['a', 'b', 'c'].map((name) => `test/${name}.test.ts`)
  const unsteady = (mark: string) => `import { existsSync, writeFileSync } from 'node:fs'
${passing}test('b', () => {
  if (existsSync('${mark}')) return
  writeFileSync('${mark}', '')
  throw new Error('the first time')
})`
  const files = Object.fromEntries(names.map((file, index) => [file, unsteady(`seen-${index}`)]))
  const { code, lines } = await run(files, [], { CI: 'true' })
  assert.deepEqual(lines.slice(-2), ['3 flaky: with CI=true that is a failure', '6 passed, 3 failed, 0 skipped'])
  assert.equal(code, 1)
})

test('what cannot run here is named with the reason, and fails the run only where it is required', async () => {
  const files = {
    'test/a.test.ts': passing,
    'test/races/b.test.ts': passing,
    'test/nodes/c.test.ts': passing,
    'test/browser/d.test.ts': passing,
  }
  const { code, lines, output } = await run(files)
  assert.match(
    output,
    /^skipped: race suite \(no PostgreSQL server binaries .*; install postgresql or set POSTGRES_BIN/m,
  )
  assert.match(output, /^skipped: two-node suite \(no PostgreSQL/m)
  assert.match(output, /^skipped: browser suite \(no Chromium found; install chromium or set CHROMIUM_BIN\)$/m)
  assert.deepEqual([code, lines.at(-1)], [0, '1 passed, 0 failed, 0 skipped'])

  const strict = await run(files, [], { TEST_REQUIRE: 'postgres nginx,haproxy chromium' })
  for (const program of ['nginx', 'haproxy', 'chromium'])
    assert.match(strict.output, new RegExp(`^failed: ${program} is required here and was not found$`, 'm'))
  assert.deepEqual([strict.code, strict.lines.at(-1)], [1, '1 passed, 4 failed, 0 skipped'])
})

test('a run of nothing has failed', async () => {
  const { code, lines } = await run({ 'test/a.test.ts': passing }, ['no-such-file'])
  assert.deepEqual([code, lines.at(-1)], [1, '0 passed, 0 failed, 0 skipped'])
})

test('only files that use a database run again on the server, and each part is told its set-up', async () => {
  const report =
    'const { TEST_SETUP, TEST_DATABASE_URL } = process.env\nthrow [TEST_SETUP, TEST_DATABASE_URL].join("|")\n'
  const { lines, output } = await run(
    {
      'test/support/test-app.ts': 'export const app = 1',
      'test/nodes/nodes.ts': 'export const nodes = 2',
      'test/plain.test.ts': passing,
      'test/more.test.ts': `import { nodes } from './nodes/nodes.ts'\n${report}`,
      'test/data.test.ts': `import { app } from './support/test-app.ts'\n${report}`,
      'test/races/r.test.ts': report,
    },
    ['--all', '--fifth', 'all'],
    { TEST_DATABASE_URL: 'postgres://given' },
  )
  const told = new Set(output.match(/(?<=Error: |')(embedded|postgres)\|[^'\n]*/g))
  assert.deepEqual([...told].toSorted(), ['embedded|', 'postgres|postgres://given'])
  assert.equal(lines.at(-1), '1 passed, 5 failed, 0 skipped')
})

test('a part and files can be chosen', async () => {
  const files = { 'test/a.test.ts': passing, 'test/b.test.ts': passing, 'test/process/c.test.ts': passing }
  assert.equal((await run(files, ['--only', 'process'])).lines.at(-1), '1 passed, 0 failed, 0 skipped')
  assert.equal((await run(files, ['b.test', 'test/a*'])).lines.at(-1), '2 passed, 0 failed, 0 skipped')
  assert.equal((await run(files, ['--only', 'everything'])).code, 2)
})

test('without arguments, only quick files of the embedded part run, and the rest is listed', async () => {
  const taking = (seconds: number) => ({ cpu: seconds * availableParallelism(), seconds })
  const embedded = {
    'test/a.test.ts': taking(1),
    'test/slow.test.ts': taking(2_000),
    'test/slower.test.ts': taking(3_000),
    'test/folder/slow.test.ts': taking(2_000),
    'test/folder/slower.test.ts': taking(3_000),
  }
  const files = {
    'test/durations.json': JSON.stringify({ share: 1, files: { embedded } }),
    'test/a.test.ts': passing,
    'test/slow.test.ts': passing,
    'test/slower.test.ts': passing,
    'test/folder/slow.test.ts': passing,
    'test/folder/slower.test.ts': passing,
    'test/races/b.test.ts': passing,
    'test/process/c.test.ts': passing,
  }
  const { code, lines, output } = await run(files, ['--limit', '60'])
  assert.match(output, /^2 files; about 33 minutes/m)
  assert.match(output, /^ok .* test\/folder\/slow\.test\.ts/m)
  assert.match(
    output,
    /^left out: 3 slow files \(slower, slow, slower\)\nleft out: races, process\n`npm run test:all` runs them as well$/m,
  )
  assert.equal(lines.at(-1), '2 passed, 0 failed, 0 skipped')
  assert.equal(code, 0)

  const all = await run(files, ['--all'])
  assert.match(all.output, /^6 files; about /m)
  assert.doesNotMatch(all.output, /left out/)
  assert.equal(all.lines.at(-1), '6 passed, 0 failed, 0 skipped')
})

test('only whole parts are recorded, and files that failed keep what they took before', async () => {
  const before = {
    share: 1,
    files: {
      embedded: { 'test/b.test.ts': { cpu: 4, seconds: 4 }, 'test/gone.test.ts': { cpu: 4, seconds: 4 } },
      races: { 'test/races/gone.test.ts': { cpu: 4, seconds: 4 } },
      checks: { lint: { cpu: 4, seconds: 4 } },
    },
  }
  const files = {
    'test/a.test.ts': passing,
    'test/b.test.ts': `${passing}test('b', () => { throw new Error('no') })`,
    'test/durations.json': JSON.stringify(before),
  }
  for (const args of [['--record'], ['--record', 'a.test'], ['--all', '--record', 'a.test']]) {
    const { code, output, record } = await run(files, args)
    assert.deepEqual([code, record], [2, before], output)
  }
  const { record } = await run(files, ['--only', 'embedded', '--record'])
  const { 'test/a.test.ts': passed, ...others } = record.files.embedded
  assert.ok(passed.cpu >= 0 && passed.seconds < 4)
  assert.deepEqual(others, { 'test/b.test.ts': { cpu: 4, seconds: 4 } })
  assert.deepEqual([record.files.races, record.files.checks], [undefined, before.files.checks])
})

test('a run says how far it is, and records how long its files took', async () => {
  const names = Array.from({ length: 11 }, (_, index) => `test/${index}.test.ts`)
  const files = {
    ...Object.fromEntries(names.map((file) => [file, passing])),
    'test/durations.json': JSON.stringify({ share: 1, files: { embedded: { [names[7]!]: { cpu: 90, seconds: 90 } } } }),
    'test/records.test.ts': passing,
  }
  const { output, record } = await run(files, ['--all', '--record'])
  // How much is left depends on the random order and on how fast this machine runs the files.
  assert.match(output, /^ok .* test\/.*: 1 passed {2}\[10 of 12, about ([1-5]0 seconds|\d minutes?) left\]$/m)
  const taken: Record<string, { seconds: number }> = record.files.embedded
  assert.deepEqual(Object.keys(taken), [...names, 'test/records.test.ts'].toSorted())
  assert.ok(
    Object.values(taken).every(({ seconds }) => seconds < 90),
    JSON.stringify(taken),
  )
})

test('an interrupted run prints what it has seen', async () => {
  const files = {
    'test/a.test.ts': passing,
    'test/b.test.ts': `${passing}process.kill(process.ppid, 'SIGINT')
test('endless', () => new Promise(() => setInterval(() => {}, 1000)))`,
    'test/durations.json': JSON.stringify({
      share: 1,
      files: { embedded: { 'test/b.test.ts': { cpu: 0, seconds: 0 } } },
    }),
  }
  const { code, lines, output } = await run(files, ['test/a', 'test/b'])
  assert.match(output, /^interrupted: \d of 2 files have run$/m)
  assert.doesNotMatch(output, /FAIL|again/)
  assert.match(lines.at(-1) ?? '', /^\d passed, 0 failed, 0 skipped$/)
  assert.equal(code, 1)
})

test('a run that is interrupted before a second run shows the first failure', async () => {
  const files = {
    'test/a.test.ts': passing,
    'test/b.test.ts': `import { existsSync, writeFileSync } from 'node:fs'
${passing}test('c', () => {
  if (!existsSync('ran')) {
    writeFileSync('ran', '')
    throw new Error('not so')
  }
  process.kill(process.ppid, 'SIGINT')
  return new Promise(() => setInterval(() => {}, 1000))
})`,
  }
  const { code, lines, output } = await run(files, ['test/a', 'test/b'])
  assert.match(output, /^FAIL .* test\/b\.test\.ts: 1 passed, 1 failed$[\s\S]*not so/m)
  assert.match(output, /^interrupted: 2 of 2 files have run$/m)
  assert.equal(lines.at(-1), '2 passed, 1 failed, 0 skipped')
  assert.equal(code, 1)
})

function leaving(): string {
  const orphan = `spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)'], { stdio: 'inherit', detached: true }).unref()`
  return `import { spawn } from 'node:child_process'\n${orphan}\n`
}

/** Listens on a free port in the first test, and then runs `code` with the server as `s`. */
function listening(code: string): string {
  return `import { connect, createServer } from 'node:net'
${passing}test('b', () => new Promise((done) => {
  const s = createServer().listen(0, '127.0.0.1', () => { ${code}; done() })
}))`
}

/** Runs the test runner in a directory with these files. */
async function run(files: Record<string, string>, args: string[] = [], settings: Record<string, string> = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-runner-'))
  for (const [file, source] of Object.entries(files)) {
    await mkdir(join(directory, dirname(file)), { recursive: true })
    await writeFile(join(directory, file), source)
  }
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, ...nothingInstalled, ...settings }
  const child = spawn(process.execPath, [runner, ...(args.length > 0 ? args : ['--all'])], {
    cwd: directory,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [output, errors, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  const record = JSON.parse(await readFile(join(directory, 'test/durations.json'), 'utf8').catch(() => '{}'))
  await rm(directory, { recursive: true })
  return { record, code, output: output + errors, lines: output.trimEnd().split('\n') }
}
