import { keepCurrent } from '../adapters/bus/keep-current.ts'
import type { Config } from '../config/load.ts'
import type { StoredSettings } from '../config/stored-values.ts'
import { type Applied, withStored } from '../config/stored-values.ts'
import type { Context } from '../context.ts'
import { second } from '../lib/time.ts'
import { findStored, findStoredVersion, versionOf } from './queries.ts'

export interface WatchedSettings extends StoredSettings {
  /** Returns the same frozen object until the next change. */
  current(): Config
  stop(): void
}

/** The version is polled at this interval because messages between nodes may be lost. */
const refreshEvery = 4 * second

type Parts = Pick<Context, 'db' | 'log' | 'bus'>

/** Keeps the configuration in memory. When stored settings change, replaces the entire configuration. */
export async function watchSettings(start: Config, { db, log, bus }: Parts): Promise<WatchedSettings> {
  let applied: Applied = { config: start, ignored: new Map() }
  let version = 0
  const read = async () => {
    if ((await findStoredVersion(db)) === version) return
    const rows = await findStored(db)
    applied = withStored(start, rows)
    version = versionOf(rows)
    log.info({ version }, 'the stored settings have changed')
    for (const [name, reason] of applied.ignored)
      log.error({ setting: name, reason }, 'a stored setting is not valid and is ignored')
  }
  const source = { channel: 'settings', every: refreshEvery, what: 'the stored settings', read }
  const { refresh, refreshAll, stop } = keepCurrent({ bus, log }, source)
  await refresh()
  return {
    current: () => applied.config,
    ignored: () => applied.ignored,
    apply: (values) => withStored(start, values),
    refreshAll,
    stop,
  }
}
