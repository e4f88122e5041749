import type { Writable } from 'node:stream'

/** Limits the memory used while the log is not being read. */
const maxPendingBytes = 1 << 20

export interface LogOutput {
  /** Never throws and never waits. Lines are dropped if the stream is blocked. */
  write(line: string): void
  /** Calls `listener` for each dropped line, including lines dropped before this call. */
  onDrop(listener: () => void): void
}

/** If writing the log fails, the service keeps running. The log later reports the number of dropped lines. */
export function createLogOutput(stream: Writable): LogOutput {
  let unreported = 0
  let total = 0
  let listener = () => {}
  const drop = () => {
    unreported++
    total++
    listener()
  }
  const send = (line: string, onFailure: () => void) => void stream.write(line, (error) => error && onFailure())
  const report = () => {
    const missing = unreported
    unreported = 0
    send(missingLine(missing), () => {
      unreported += missing
    })
  }
  ignoreErrors(stream)
  stream.on('drain', () => unreported > 0 && report())
  return {
    write(line) {
      // After a drop, writing resumes only below half the limit so that a slow reader gets consecutive lines.
      const limit = unreported > 0 ? maxPendingBytes / 2 : maxPendingBytes
      if (stream.writableLength > limit) return drop()
      if (unreported > 0) report()
      send(line, drop)
    },
    onDrop(added) {
      listener = added
      for (let count = 0; count < total; count++) added()
    },
  }
}

/** Without a listener, an error on a standard stream would crash the process. */
export function ignoreErrors(stream: Writable): void {
  stream.on('error', () => {})
}

const missingLine = (dropped: number): string =>
  // Starts with a line break because the previous line may be incomplete.
  `\n${JSON.stringify({ level: 40, time: Date.now(), dropped, msg: 'log lines were dropped because standard output was blocked' })}\n`
