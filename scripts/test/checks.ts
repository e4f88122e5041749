import { spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { checksPart } from './durations.ts'
import type { Outcome } from './run-file.ts'
import type { Item } from './run-items.ts'

/** The scripts of package.json that check the tree without running test files. */
const scripts = ['lint', 'typecheck', 'test:deploy']
const part = { name: checksPart }

/** These checks run in the same queue as the test files. Each counts as one test. */
export const checkItems = (): Item[] =>
  scripts.map((script) => ({ part, file: script, isAlone: false, run: () => runScript(script) }))

/** `times` prints the CPU time of the shell, and in the second line that of the processes that it has started. */
const runAndTell = 'npm run --silent "$0"; code=$?; times >&3; exit $code'

/** The user and system time of the child processes in seconds, such as `1m2.5s 0m3.1s`. */
const cpuOf = (times: string): number =>
  [...(times.split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )

async function runScript(script: string): Promise<Outcome> {
  const started = performance.now()
  const child = spawn('sh', ['-c', runAndTell, script], { stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  const outputs = [1, 2, 3].map((descriptor) => text(child.stdio[descriptor] as Readable))
  const [[stdout = '', stderr = '', times = ''], code] = await Promise.all([Promise.all(outputs), ended])
  const seconds = (performance.now() - started) / 1000
  const isGreen = code === 0
  return {
    part: part.name,
    file: script,
    tests: [{ name: script, outcome: isGreen ? 'passed' : 'failed' }],
    passed: isGreen ? 1 : 0,
    failed: isGreen ? 0 : 1,
    skipped: 0,
    reasons: [],
    problem: isGreen ? undefined : `ended with code ${code}`,
    failedBesideOthers: false,
    seconds,
    cpu: cpuOf(times),
    output: stdout + stderr,
  }
}
