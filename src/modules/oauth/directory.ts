import { onePerDatabase } from '../../context/one-per-database.ts'
import type { Context } from '../../context.ts'
import type { Owner } from '../../lib/versioned-cache.ts'
import { createCachedReads } from './cached-reads.ts'
import { readDirectory } from './directory-queries.ts'
import { createKeySet, type KeySet } from './keys/key-set.ts'
import { createResourceSet, type ResourceSet } from './resources/resource-set.ts'

/** The owner of all resources, keys and origins together in `session_revocations`. Also in core.sql. */
const allOAuth = 'a0000000-0000-4000-8000-000000000003'

/** All resources, signing keys and origins at one point in time. */
export interface Directory {
  readonly owner: Owner
  readonly resources: ResourceSet
  /** The ids of those that have resources, even if they are disabled. */
  readonly applications: ReadonlySet<string>
  readonly keys: KeySet
  /** The origins of all enabled clients of the type spa, and the keys of their applications, which may be disabled. */
  readonly origins: ReadonlyMap<string, readonly string[]>
}

export interface WatchedDirectory {
  /** Without I/O. Undefined if the directory must be read first. */
  recall(): Directory | undefined
  read(): Promise<Directory>
}

export const directoryOf = onePerDatabase((ctx): WatchedDirectory => {
  const reads = createCachedReads<Directory>(ctx, {
    maxEntries: 2,
    read: async () => new Map([[allOAuth, await load(ctx)]]),
    ownersOf: ({ owner }) => [owner],
  })
  // An application that is disabled disables its resources, but the change invalidates only the application.
  ctx.sessions.watchRevocations({
    revoked(owner) {
      if (reads.recall(allOAuth)?.applications.has(owner) ?? true) reads.forgetAll()
    },
    missed() {},
  })
  return {
    recall: () => reads.recall(allOAuth),
    async read() {
      const found = await reads.read(allOAuth)
      if (!found) throw new Error('the directory of resources and keys is always found')
      return found
    },
  }
})

/** From memory if possible. */
export const currentDirectory = async (ctx: Context): Promise<Directory> => {
  const directory = directoryOf(ctx)
  return directory.recall() ?? directory.read()
}

/** Call this after the commit of a change of resources, keys or clients. */
export const invalidateDirectory = (ctx: Pick<Context, 'sessions'>, version: number): Promise<void> =>
  ctx.sessions.invalidate(allOAuth, version)

async function load(ctx: Context): Promise<Directory> {
  const { version, resources, keys, origins } = await readDirectory(ctx.db)
  return {
    owner: { id: allOAuth, epoch: version },
    resources: createResourceSet(ctx, resources),
    applications: new Set(resources.map(({ application_id }) => application_id)),
    keys: createKeySet(ctx.dataKeys, keys),
    origins: new Map(origins.map(({ origin, applications }) => [origin, applications])),
  }
}
