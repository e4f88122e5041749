/** The runner asks a worker to run a file. */
export interface WorkerRequest {
  /** Relative to the tested tree. The name of the file's suite. */
  file: string
  path: string
  /** A line that the worker writes to both output streams when the file has ended. */
  token: string
  /** Milliseconds that the file's resources may take to close after its last test. */
  settleLimit: number
  /** Whether the file has declared that it changes its process, which then runs no other file. */
  isOwnProcess: boolean
}

/** The result of a single test. Its name begins with the names of its suites and parent tests. */
export interface TestResult {
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  /** Why the test was skipped. */
  reason?: string | undefined
}

export interface FileResult {
  tests: TestResult[]
  /** The failures, in the format of the `spec` reporter. */
  story: string
  /** Problems with the entire file, such as a socket that was left open. */
  problems: string[]
  seconds: number
  /** CPU seconds of the worker and of the child processes that ended. */
  cpu: number
  /** Resident memory in bytes. */
  memory: number
}

export type WorkerResponse = { kind: 'ready' } | ({ kind: 'done' } & FileResult)

export function tell(response: WorkerResponse): void {
  process.send?.(response)
}
