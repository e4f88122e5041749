import { suite, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { tell, type WorkerRequest } from './protocol.ts'
import { reportOf, startFile } from './reporter.ts'
import { tellWhenStopped } from './tell-when-stopped.ts'
import { watchProcess } from './watch-process.ts'

// Runs test files in this process, one after the other. Each file is imported inside a suite of its own, so that its
// hooks apply only to its own tests. The runner sends the next file after the previous one has reported.
const watch = watchProcess()
tellWhenStopped()
process.on('message', (request: WorkerRequest) => {
  run(request).catch((error) => {
    console.error(error)
    process.exit(70)
  })
})
// The first test makes Node.js add its own listeners to the process.
const ready = startFile('ready')
suite('ready', () => void test('ready', () => {}))
await ready
tell({ kind: 'ready' })

async function run({ file, path, token, settleLimit, isOwnProcess }: WorkerRequest): Promise<void> {
  const started = performance.now()
  const before = watch.begin()
  const ended = startFile(file)
  suite(file, async () => {
    await import(pathToFileURL(path).href)
  })
  await ended
  const problems = await watch.end(before, { settleLimit, isOwnProcess })
  const { tests, story } = await reportOf(file)
  // The runner attributes all output before this line to the file.
  process.stdout.write(`${token}\n`)
  process.stderr.write(`${token}\n`)
  tell({
    kind: 'done',
    tests,
    story,
    problems: tests.length > 0 ? problems : ['declares no test', ...problems],
    seconds: (performance.now() - started) / 1000,
    cpu: watch.cpuSince(before),
    memory: process.memoryUsage.rss(),
  })
}
