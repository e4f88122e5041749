import { randomBytes } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { askBeacon, lightBeacon, silentMark } from './embedded-beacon.ts'

/** A process, described so that another one can tell later whether it is still there. */
export interface Owner {
  token: string
  pid: number
  /** When it started, in ticks since the boot: a later process may get the same number, but not the same start. */
  started?: string | undefined
  /** The run of the system that `pid` and `started` belong to. */
  boot?: string | undefined
  /** Inside which numbers name processes; each container has its own. */
  namespace?: string | undefined
  /** A socket in the data directory that the kernel answers on for as long as the process lives. */
  beacon?: string | undefined
}

/** `elsewhere`: it lives, but in another container; `unknown`: nothing here can tell. */
export type Life = 'here' | 'elsewhere' | 'dead' | 'unknown'

export interface Presence {
  owner: Owner
  /** From now on the beacon answers for the owner of the lock. */
  own(): void
  end(): Promise<void>
}

/** Describes this process and starts to show that it lives. */
export async function showPresence(dataDir: string): Promise<Presence> {
  const token = randomBytes(8).toString('hex')
  const beacon = await lightBeacon(dataDir, token)
  const started = readProcess('self')?.started
  return {
    owner: { token, pid: process.pid, started, ...surroundings(), beacon: beacon.socket },
    own: beacon.own,
    end: beacon.end,
  }
}

/** What a dead process could not clean up itself. */
export async function removeTraces({ beacon, token }: Owner, dataDir: string): Promise<void> {
  await rm(join(dataDir, beacon ?? silentMark(token)), { force: true })
}

export async function lifeOf(owner: Owner, dataDir: string): Promise<Life> {
  const { boot, namespace } = surroundings()
  if ((owner.boot === undefined) !== (boot === undefined)) return 'unknown'
  if (owner.boot !== boot) return 'dead'
  if (owner.namespace === namespace) return isRunning(owner) ? 'here' : 'dead'
  if (!owner.beacon) return 'unknown'
  const answer = await askBeacon(join(dataDir, owner.beacon))
  return answer === 'owner' || answer === 'waiting' ? 'elsewhere' : answer
}

/** Undefined where the system has no /proc: there a number is all that is known of a process. */
function surroundings(): Pick<Owner, 'boot' | 'namespace'> {
  return {
    boot: attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    namespace: attempt(() => readlinkSync('/proc/self/ns/pid')),
  }
}

function isRunning({ pid, started }: Owner): boolean {
  if (!exists(pid)) return false
  const present = readProcess(pid)
  if (!present || started === undefined) return true
  // A zombie has ended; only its parent has not taken note.
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

// proc(5): the second field is the name in brackets and may hold anything; 3 is the state, 22 the start.
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
