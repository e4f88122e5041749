import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { askBeacon, openBeacon, silentMark } from './liveness-socket.ts'

export interface LockOwner {
  token: string
  pid: number
  /** Start time in ticks since boot. Distinguishes the process from a later one with the same process id. */
  started: string | undefined
  boot: string | undefined
  /** The process id namespace, which differs between containers. */
  namespace: string | undefined
  /** The name of a socket in the data directory that accepts connections while the process runs. */
  beacon: string | undefined
}

/** `elsewhere`: running in another container. `unknown`: the state cannot be determined. */
export type OwnerState = 'here' | 'elsewhere' | 'dead' | 'unknown'

export interface OwnerPresence {
  owner: LockOwner
  /** Call this after taking the lock so that the beacon responds as the owner. */
  own(): void
  end(): Promise<void>
}

export async function announceOwner(dataDir: string): Promise<OwnerPresence> {
  const token = randomBytes(8).toString('hex')
  const beacon = await openBeacon(dataDir, token)
  const started = readProcess('self')?.started
  return {
    owner: { token, pid: process.pid, started, ...surroundings(), beacon: beacon.socket },
    own: beacon.own,
    end: beacon.end,
  }
}

export async function removeOwnerFiles({ beacon, token }: LockOwner, dataDir: string): Promise<void> {
  await rm(join(dataDir, beacon ?? silentMark(token)), { force: true })
}

export async function ownerStateOf(owner: LockOwner, dataDir: string): Promise<OwnerState> {
  const { boot, namespace } = surroundings()
  if ((owner.boot === undefined) !== (boot === undefined)) return 'unknown'
  if (owner.boot !== boot) return 'dead'
  if (owner.namespace === namespace) return isRunning(owner) ? 'here' : 'dead'
  if (!owner.beacon) return 'unknown'
  const response = await askBeacon(join(dataDir, owner.beacon))
  return response === 'owner' || response === 'waiting' ? 'elsewhere' : response
}

/** On systems without /proc, both values are undefined. */
function surroundings(): Pick<LockOwner, 'boot' | 'namespace'> {
  return {
    boot: attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: attempt(() => readlinkSync('/proc/self/ns/pid')),
  }
}

function isRunning({ pid, started }: LockOwner): boolean {
  if (!exists(pid)) return false
  const present = readProcess(pid)
  if (!present || started === undefined) return true
  // A zombie process has already ended.
  return present.started === started && present.state !== 'Z'
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

// proc(5): field 2 is the name in parentheses and may contain anything. Field 3 is the state, field 22 the start time.
function readProcess(pid: number | 'self'): { state: string; started: string } | undefined {
  const line = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ')
  return fields && { state: fields[0]!, started: fields[19]! }
}

function attempt<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
