import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRenderer, perWriterQueue } from '../../../src/modules/blog/render.ts'
import { assertError } from '../../http/support.ts'
import type { TestApp } from '../../support/test-app.ts'
import { type Author, somebody, startBlog } from './support.ts'

let app: TestApp
let hostile: Author
let honest: Author
before(async () => {
  app = await startBlog()
  hostile = await somebody(app)
  honest = await somebody(app)
})
after(() => app.stop())

const save = (body: string, body_format = 'markdown') => hostile.call('POST', '', { title: 'x', body, body_format })

/** A body that is not rejected before rendering, but that always exceeds the rendering time limit. */
const open = Array.from({ length: 95 }, (_, index) => `<b a=${index}>`).join('')
const endless = `<p>${open}</p>${'<p>x'.repeat(28_000)}`
const small = { format: 'text', body: 'x' } as const

test('a body that is known to ask for all memory, or for hours, is refused before anything parses it', async () => {
  const bodies = [
    ['['.repeat(1_000_000), 'markdown'],
    ['!['.repeat(200_000), 'markdown'],
    ['> '.repeat(100_000), 'markdown'],
    ['**'.repeat(100_000), 'markdown'],
    ['- '.repeat(100_000), 'markdown'],
    [`<p>${'<b a=i>'.repeat(200)}</p>${'<p>x</p>'.repeat(10_000)}`, 'html'],
    [`<p>${'<b a=i>'.repeat(200)}</p>${'<p>x</p>'.repeat(10_000)}`, 'markdown'],
    ['<i></i>'.repeat(40_000), 'html'],
    ...['_a', '*a_', 'a*b', '~a', '[a](b', '](', '*[a', '|a|\n', 'a\n===\n', '**a'].map(
      (unit) => [unit.repeat(30_000), 'markdown'] as const,
    ),
    [`${'*a'.repeat(2_000)}\n\n`.repeat(20), 'markdown'],
  ] as const
  for (const [body, format] of bodies) {
    const begin = performance.now()
    const reply = await save(body, format)
    assert.ok(performance.now() - begin < 2_000, body.slice(0, 10))
    const [problem] = assertError(reply, 400, 'VALIDATION_ERROR')
    assert.equal(problem?.field, 'body')
    assert.doesNotMatch(reply.text, /too much memory to render/)
  }
  await hostile.write()
})

test('long texts with much emphasis, many links and a long table are no such bodies', async () => {
  const paragraph = 'Some *words*, **more** of [them](https://example.com/a_b) and `a_b[c]|`.\n'.repeat(15)
  const table = `| a | b |\n|---|---|\n${'| *x* | [y](z) |\n'.repeat(300)}`
  const code = `\`\`\`c\n${'*p++ = a[i] | _mask;\n'.repeat(2_000)}\`\`\`\n`
  const reply = await save([...Array.from({ length: 50 }, () => paragraph), table, code].join('\n'))
  assert.equal(reply.status, 200, reply.text)
})

test('a body that the machine has no time for is refused for now, not for good', async () => {
  const render = createRenderer({ time: 60_000, wait: 200 })
  const refused = await render({ format: 'html', body: endless }).then(undefined, (error) => error)
  assert.equal(refused.code, 'UNAVAILABLE')
})

test('a body that takes too long is answered within a few seconds, even if the machine has no time for it', async () => {
  // Shorter than the default, because the process can run out of memory after four seconds.
  const render = createRenderer({ time: 600_000, wait: 2_000 })
  const begin = performance.now()
  await assert.rejects(render({ format: 'html', body: endless }), { code: 'UNAVAILABLE' })
  assert.ok(performance.now() - begin < 10_000)
  assert.equal((await createRenderer({ wait: 60_000 })(small)).html, '<p>x</p>')
})

test('a body gets no more CPU time than the limit, even if there is memory and time for it', async () => {
  const former = renderers().length
  const before = cpuOfEndedProcesses()
  const render = createRenderer({ time: 300, wait: 60_000 })
  await assert.rejects(render({ format: 'html', body: endless }), { code: 'VALIDATION_ERROR' })
  while (renderers().length > former) await sleep(20)
  // Without the limit, the body takes six seconds until its process has no memory left.
  assert.ok(cpuOfEndedProcesses() - before < 3)
})

test('while bodies of a writer take their time, another writer is served', async () => {
  const hard = Promise.all([save(endless, 'html'), save(endless, 'html')])
  assert.equal((await honest.read(await honest.write())).status, 200)
  // On a busy machine, the body does not get its CPU time within the time that a request waits.
  for (const { status, text } of await hard) assert.ok(status === 400 || status === 503, text)
  await hostile.write()
})

test('a writer with many bodies waits for them, and others do not', async () => {
  const renderFor = perWriterQueue(createRenderer({ time: 300, wait: 60_000 }))
  const done: string[] = []
  const endlessly = () => renderFor('a')({ format: 'html', body: endless }).catch(({ code }) => done.push(code))
  const bodies = [endlessly(), endlessly(), renderFor('b')(small).then(({ html }) => done.push(html))]
  await Promise.all(bodies)
  assert.deepEqual(done, ['VALIDATION_ERROR', '<p>x</p>', 'VALIDATION_ERROR'])
})

test('a body cannot end the service: the process that dies of it is another, which holds no secret', async () => {
  const former = renderers()
  process.env.CANARY_OF_THE_ENVIRONMENT = 'secret'
  const render = createRenderer({ time: 600_000, wait: 20_000 })
  await render(small)
  delete process.env.CANARY_OF_THE_ENVIRONMENT
  const [pid = 0] = renderers().filter((each) => !former.includes(each))
  assert.doesNotMatch(readFileSync(`/proc/${pid}/environ`, 'utf8'), /CANARY/)
  const refused = assert.rejects(render({ format: 'html', body: endless }), { code: 'VALIDATION_ERROR' })
  // V8 aborts the process with this signal when it runs out of memory.
  setTimeout(() => process.kill(pid, 'SIGABRT'), 50)
  await refused
  assert.equal((await render(small)).html, '<p>x</p>')
})

/** In seconds. */
function cpuOfEndedProcesses(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ') ?? []
  const ticksPerSecond = 100
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond
}

/** The ids of the running render processes that this process started. */
function renderers(): number[] {
  const tasks = readdirSync('/proc/self/task').map((task) => `/proc/self/task/${task}/children`)
  const children = tasks.flatMap((file) => readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number))
  return children.filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('render-process'))
}
