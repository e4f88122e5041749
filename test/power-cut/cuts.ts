import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Disk } from './disk.ts'
import { readTrace } from './trace.ts'

// The number of simulated power cuts. POWER_CUTS=2000 is more thorough, but takes too long for normal runs.
// POWER_CUT_SEED sets the random seed to repeat a run.
export const powerCuts = Number(process.env.POWER_CUTS ?? 10)
export const seed = process.env.POWER_CUT_SEED ?? String(Date.now())

const atOnce = 2

export interface PowerCut {
  /** The directory in its state after the power cut. It is removed after the check. */
  directory: string
  /** The length of the trace at the time of the power cut. */
  at: number
  /** The power cut's name, for messages. */
  name: string
}

export interface Recording {
  trace: Buffer
  /** The recorded directory, and its inode number. */
  path: string
  root: number
}

/**
 * Simulates power cuts at random points of the recording. Synced changes always survive, along with a random subset of
 * the other changes.
 */
export async function cutPower(
  { trace, root, path }: Recording,
  { count, into }: { count: number; into: string },
  check: (cut: PowerCut) => Promise<void>,
): Promise<void> {
  const changes = [...readTrace(trace)]
  const random = randomFrom(seed)
  const chosen = new Set(Array.from({ length: count }, () => Math.floor(random() * changes.length)))
  const disk = new Disk(root)
  const running = new Set<Promise<void>>()
  for (const [number, { change, bytes, end }] of changes.entries()) {
    disk.apply(change, bytes)
    if (!chosen.has(number)) continue
    const survival = (['synced', 'some', 'some', 'all'] as const)[Math.floor(random() * 4)]!
    const directory = join(into, `cut-${number}`)
    disk.writeTo(directory, survival, random)
    const name = `seed ${seed}, change ${number} of ${changes.length}, survival ${survival}`
    const done = check({ directory, at: end, name }).finally(() => {
      running.delete(done)
      rmSync(directory, { recursive: true })
    })
    running.add(done)
    if (running.size >= atOnce) await Promise.race(running)
  }
  await Promise.all(running)
  assertComplete(disk, path, join(into, 'everything'), random)
}

/** Checks that the recording contains all changes. Otherwise, the test would check incomplete states. */
function assertComplete(disk: Disk, recorded: string, target: string, random: () => number): void {
  disk.writeTo(target, 'all', random)
  assert.deepEqual(contentsOf(target), contentsOf(recorded))
  rmSync(target, { recursive: true })
}

function contentsOf(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).sort()
  const hash = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
  return Object.fromEntries(paths.map((path) => [relative(directory, path), hash(path)]))
}

function randomFrom(text: string): () => number {
  let number = 0
  return () => createHash('sha256').update(`${text} ${number++}`).digest().readUInt32LE(0) / 0x1_0000_0000
}
