import type { Context } from '../../context.ts'
import type { Db } from '../../db/tables.ts'
import { minute, second } from '../../lib/time.ts'
import { type Definitions, findDefinitions, findVersion } from './queries.ts'

/** Cached definitions, in this process and in the shared cache. PostgreSQL remains authoritative. */
export interface DefinitionCache {
  recall(): Definitions | undefined
  load(): Promise<{ definitions: Definitions; cached: boolean }>
  /** The current definitions: cached ones are returned only after the database has confirmed their version. */
  loadFresh(db: Db): Promise<Definitions>
  /** Invalidates definitions below this version, here at once and on other nodes soon after. Call after the commit. */
  outdate(version: number): Promise<void>
}

const name = 'post-types'
/** A node that has not received its own heartbeat for this long may have missed messages and ignores its memory. */
const trustWithoutBeat = 900
/** A process can exit before it sends its message. This interval bounds how long definitions can then be stale. */
const confirmEvery = 30 * second
const sharedFor = minute

interface CachedDefinitions {
  definitions: Definitions
  readAt: number
  confirmFrom: number
}

export function createDefinitionCache(ctx: Context): DefinitionCache {
  const { config, clock, db, bus, sharedCache, log } = ctx
  const lifetime = config.POST_TYPES_FRESH_CACHE_MODE ? 0 : config.POST_TYPES_CACHE_TTL
  let memory: CachedDefinitions | undefined
  /** The highest version announced so far. A load that began before that change may return an older version. */
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

  const confirm = (cached: CachedDefinitions) => {
    const readAt = clock.now()
    cached.confirmFrom = readAt + confirmEvery
    findVersion(db)
      .then((version) => {
        raise(version)
        // A lower version means that the table was lost and created again.
        if (version !== cached.definitions.version) memory = undefined
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
      const cached = memory
      if (cached && (await findVersion(asked)) === cached.definitions.version) return cached.definitions
      const readAt = clock.now()
      const definitions = await findDefinitions(asked)
      // Results read inside a transaction are not cached, because uncommitted changes are visible there.
      if (asked === db) remember(definitions, readAt)
      return definitions
    },
    async outdate(version) {
      raise(version)
      // Neither failure may fail the request: the change is committed, and cached definitions expire in any case.
      await sharedCache
        ?.raiseEpoch(name, version)
        .catch((error) => log.warn({ err: error }, 'could not invalidate the shared cache of post types'))
      await bus
        .publish(name, String(version))
        .catch((error) => log.warn({ err: error }, 'could not notify other nodes of changed post types'))
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

const made = new WeakMap<Context, DefinitionCache>()

/** One instance per application, shared by its routes and its rules. */
export function definitionCacheOf(ctx: Context): DefinitionCache {
  const cache = made.get(ctx) ?? createDefinitionCache(ctx)
  made.set(ctx, cache)
  return cache
}
