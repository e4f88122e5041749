import type { Context } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import { minute, second } from '../../lib/time.ts'
import { type Definitions, findDefinitions, findVersion } from './queries.ts'

/** Copies of all definitions, in this process and in the shared cache. PostgreSQL stays the truth. */
export interface DefinitionCopies {
  /** A copy that may be served, from this process alone: no I/O, no promise. */
  recall(): Definitions | undefined
  load(): Promise<{ definitions: Definitions; cached: boolean }>
  /** As they are: a copy only once the database has confirmed that nothing has changed since. */
  loadFresh(db: Db): Promise<Definitions>
  /** Outdates every copy below this version, here at once and on the other nodes soon. Call it after the commit. */
  outdate(version: number): Promise<void>
}

const name = 'post-types'
/** A node that has not heard its own beat for this long may have missed messages, and trusts its memory no more. */
const trustWithoutBeat = 900
/** A message may be lost with the process that would have sent it: no copy is wrong for longer than about that. */
const confirmEvery = 30 * second
const sharedFor = minute

interface Copy {
  definitions: Definitions
  readAt: number
  confirmFrom: number
}

export function createDefinitionCopies(ctx: Context): DefinitionCopies {
  const { config, clock, db, bus, sharedCache, log } = ctx
  const lifetime = config.POST_TYPES_FRESH_CACHE_MODE ? 0 : config.POST_TYPES_CACHE_TTL
  let memory: Copy | undefined
  /** The highest version that anybody has spoken of: a fill that began before that change may bring an older one. */
  let newest = 0
  let filling: Promise<Definitions> | undefined

  const raise = (version: number) => {
    newest = Math.max(newest, version)
    if (memory && memory.definitions.version < newest) memory = undefined
    filling = undefined
  }
  bus.subscribe(name, (payload) => raise(Number(payload)))
  bus.onReconnect(() => {
    memory = undefined
    filling = undefined
  })

  const remember = (definitions: Definitions, readAt: number) => {
    if (lifetime === 0 || definitions.version < newest) return
    memory = { definitions, readAt, confirmFrom: readAt + confirmEvery }
  }
  const isServable = (readAt: number) => clock.now() < readAt + lifetime

  const confirm = (copy: Copy) => {
    const readAt = clock.now()
    copy.confirmFrom = readAt + confirmEvery
    findVersion(db)
      .then((version) => {
        raise(version)
        // Lower: the table was lost, and made again.
        if (version !== copy.definitions.version) memory = undefined
      })
      .catch(() => {})
  }
  const fill = async () => {
    const readAt = clock.now()
    const definitions = await findDefinitions(db)
    remember(definitions, readAt)
    share(definitions, readAt)
    return definitions
  }
  const share = (definitions: Definitions, readAt: number) => {
    const left = Math.min(readAt + lifetime - clock.now(), sharedFor)
    if (!sharedCache || left <= 0) return
    const value = JSON.stringify({ ...definitions, readAt })
    sharedCache
      .setUnlessOlder({ key: name, owner: name, epoch: definitions.version, value, lifetime: left })
      .catch(() => {})
  }
  const loadShared = async (): Promise<Definitions | undefined> => {
    const value = await sharedCache?.get(name).catch(() => undefined)
    if (value === undefined) return undefined
    const { readAt, ...definitions } = decode(value)
    if (!isServable(readAt) || definitions.version < newest) return undefined
    remember(definitions, readAt)
    return definitions
  }
  const recall = () => {
    if (!memory || !isServable(memory.readAt) || bus.sinceLastBeat() > trustWithoutBeat) return undefined
    if (clock.now() >= memory.confirmFrom) confirm(memory)
    return memory.definitions
  }

  return {
    recall,
    async load() {
      if (lifetime === 0) return { definitions: await findDefinitions(db), cached: false }
      const copy = recall() ?? (await loadShared())
      if (copy) return { definitions: copy, cached: true }
      if (!filling) {
        const started = fill().finally(() => {
          if (filling === started) filling = undefined
        })
        filling = started
      }
      return { definitions: await filling, cached: false }
    },
    async loadFresh(asked) {
      const copy = memory
      if (copy && (await findVersion(asked)) === copy.definitions.version) return copy.definitions
      const readAt = clock.now()
      const definitions = await findDefinitions(asked)
      // A transaction may see what nobody else does.
      if (asked === db) remember(definitions, readAt)
      return definitions
    },
    async outdate(version) {
      raise(version)
      // Neither may fail the request: the change is committed, and the life of copies bounds what a lost message costs.
      await sharedCache
        ?.raiseEpoch(name, version)
        .catch((error) => log.warn({ err: error }, 'shared copies of post types could not be outdated'))
      await bus
        .publish(name, String(version))
        .catch((error) => log.warn({ err: error }, 'other nodes could not be told of post types'))
    },
  }
}

function decode(value: string): Definitions & { readAt: number } {
  const stored = JSON.parse(value) as Definitions & { readAt: number }
  const rows = stored.rows.map((row) => ({
    ...row,
    created_at: new Date(row.created_at),
    updated_at: new Date(row.updated_at),
  }))
  return { ...stored, rows }
}

const made = new WeakMap<Context, DefinitionCopies>()

/** The ones of this application: its routes and its rules look at the same. */
export function copiesOf(ctx: Context): DefinitionCopies {
  const copies = made.get(ctx) ?? createDefinitionCopies(ctx)
  made.set(ctx, copies)
  return copies
}
