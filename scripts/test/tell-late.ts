import { writeSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/**
 * A reporter that prints nothing unless its file exceeds its time limit. It then prints the tests that are running,
 * those that have failed, and what keeps the process alive. The default reporter would print this only at the end.
 */
// biome-ignore lint/style/noDefaultExport: Node.js loads reporters from the default export.
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
