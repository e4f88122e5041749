import { writeSync } from 'node:fs'
import { failuresSoFar, runningTests } from './reporter.ts'

/**
 * When the runner stops a file that exceeds its time limit, prints the running tests, the failed tests, and the
 * resources that are in use, before the process ends.
 */
export function tellWhenStopped(): void {
  process.once('SIGTERM', () => {
    const lines = [
      ...runningTests().map((name) => `still running: ${name}`),
      ...failuresSoFar(),
      `alive because of: ${process.getActiveResourcesInfo().join(', ') || 'nothing'}`,
    ]
    writeSync(2, `${lines.join('\n')}\n`)
    process.kill(process.pid, 'SIGKILL')
  })
}
