import type { DiskChange } from './disk.ts'

export interface TracedChange {
  change: DiskChange
  bytes: Buffer
  /** The length of the trace up to and including this change. */
  end: number
}

export function* readTrace(trace: Buffer): Generator<TracedChange> {
  for (let at = 0; at < trace.length; ) {
    const header = at + 8
    const content = header + trace.readUInt32LE(at)
    const end = content + trace.readUInt32LE(at + 4)
    yield { change: JSON.parse(trace.toString('utf8', header, content)), bytes: trace.subarray(content, end), end }
    at = end
  }
}
