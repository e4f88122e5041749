import type { Writable } from 'node:stream'

/** Maximum bytes that are buffered for a reader that has stopped reading. */
const maxPendingBytes = 1 << 20

export interface LogOutput {
  /** Never throws and never waits: a line that the stream cannot take is dropped. */
  write(line: string): void
  /** Tells the listener of each dropped line, and of those that were dropped before. */
  onDrop(listener: () => void): void
}

/**
 * Lines on a standard stream of this process. Whatever becomes of the reader or of the disk, the service goes on; the
 * first line that gets through afterwards is preceded by one that says how many are missing.
 */
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
      // Half empty, so that a slow reader gets whole stretches of lines instead of every other one.
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

/** Without a listener, an error of a standard stream ends the process. */
export function ignoreErrors(stream: Writable): void {
  stream.on('error', () => {})
}

const missingLine = (dropped: number): string =>
  // The line before may have been cut short.
  `\n${JSON.stringify({ level: 40, time: Date.now(), dropped, msg: 'log lines were dropped: standard output did not take them' })}\n`
