import { spawn } from 'node:child_process'
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

async function runScript(script: string): Promise<Outcome> {
  const started = performance.now()
  const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve, reject) => child.once('close', resolve).once('error', reject))
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
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
    cpu: seconds,
    output: stdout + stderr,
  }
}
