import { writeSync } from 'node:fs'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'

/**
 * A test reporter that prints only if the file exceeds its time limit and is stopped with SIGTERM. It prints the
 * running tests, the failed tests, and the resources that keep the process alive. The default reporter prints failures
 * only at the end of the file.
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
