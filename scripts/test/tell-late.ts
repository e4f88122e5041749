import { writeSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/**
 * A reporter that is silent until its file is stopped for being late. Then it says what the file was doing, which the
 * usual one would only do at the end: the tests that run, those that have failed, and what keeps the process alive.
 */
// biome-ignore lint/style/noDefaultExport: this is where Node looks for a reporter.
export default async function* tellLate(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const running = new Set<string>()
  const failures: string[] = []
  process.once('SIGTERM', () => {
    const lines = [
      ...[...running].map((name) => `still running: ${name}`),
      ...failures,
      `alive because of: ${process.getActiveResourcesInfo().join(', ') || 'nothing'}`,
    ]
    writeSync(2, `${lines.join('\n')}\n`)
    process.kill(process.pid, 'SIGKILL')
  })
  for await (const { type, data } of source) {
    if (type === 'test:dequeue') running.add(data.name)
    if (type !== 'test:complete') continue
    running.delete(data.name)
    const { error } = data.details
    if (error) failures.push(`failed before: ${data.name}\n${inspect(error.cause ?? error)}`)
  }
}
