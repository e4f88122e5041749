import type {
  CachedCredential,
  Context,
  CredentialProvider,
  Credentials,
  CredentialView,
  FoundCredential,
  LoadOptions,
  ModuleCredentialKind,
} from '../context.ts'
import { batchLookup } from '../db/batch-lookup.ts'
import { sha256 } from '../lib/hash.ts'
import { rolesUnknown } from '../sessions/find-with-roles.ts'
import { type CacheParts, createCredentialCache } from './credential-cache.ts'

interface Parts extends CacheParts, Pick<Context, 'applicationRoles'> {
  providers: readonly CredentialProvider[]
  /** Whether the module that provides the kind is installed and enabled. */
  isAvailable(kind: ModuleCredentialKind): boolean
}

/** Until modules have provided theirs. */
export const noCredentials: Credentials = {
  kinds: () => ['session'],
  recognize: () => undefined,
  recall: () => undefined,
  recallYoung: () => undefined,
  load: async () => undefined,
  heldBy: async () => undefined,
}

/** How often a credential is read again because the roles of its user changed during the read. */
const maxAttempts = 5

/** Looks up credentials in memory, then in the shared cache, then with their provider. */
export function createCredentials({ providers, isAvailable, applicationRoles, ...parts }: Parts): Credentials {
  const { clock } = parts
  const { recognize, availableOf, read: readBatch, readAgain } = providersOf(providers, isAvailable)
  const revalidation = textsOfRevalidated(readAgain)
  const cache = createCredentialCache(parts, revalidation.readKnown)
  /** Undefined if the roles must be read first. */
  const recall = (text: string): FoundCredential | undefined => {
    const cached = cache.recall(sha256(text))
    const provider = availableOf(cached?.view.kind)
    if (!cached || !provider || cached.view.grants.version > applicationRoles.version) return undefined
    if (cached.isBeingRevalidated) revalidation.note(cached, text)
    return { provider, cached, source: 'memory', roles: applicationRoles.current() }
  }

  async function lookUp(provider: CredentialProvider, text: string, { freshness, beforeRead }: LoadOptions) {
    if (freshness === 'copy') {
      await applicationRoles.whenCurrent(0)
      const recalled = recall(text)
      if (recalled) return recalled
      const shared = await cache.loadShared(sha256(text))
      if (shared) return { cached: shared, source: 'redis' as const }
    }
    beforeRead?.()
    const begun = { readAt: clock.now(), generation: cache.generation() }
    const view = await readBatch(provider, text)
    if (!view || (view.expiresAt !== null && view.expiresAt <= clock.now())) return undefined
    return { cached: cache.keep(sha256(text), view, begun), source: 'database' as const }
  }

  // As with sessions, the roles are at least as late as the grants, which have not changed since.
  async function load(text: string, options: LoadOptions): Promise<FoundCredential | undefined> {
    const provider = availableOf(recognize(text)?.kind)
    if (!provider) return undefined
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const found = await lookUp(provider, text, options)
      if (!found) return undefined
      const { version } = found.cached.view.grants
      await applicationRoles.whenCurrent(version)
      const roles = applicationRoles.current()
      if (version <= applicationRoles.version && (roles.isEmpty || cache.isCurrent(found.cached)))
        return { ...found, provider, roles }
    }
    throw rolesUnknown()
  }

  return {
    kinds: () => ['session', ...providers.map(({ kind }) => kind).filter(isAvailable)],
    recognize,
    recall,
    recallYoung(text) {
      const found = recall(text)
      return found && clock.now() < found.cached.freshness.revalidateFrom ? found : undefined
    },
    load,
    async heldBy(db, userId) {
      const holding = providers.filter(({ kind }) => isAvailable(kind)).map(({ heldBy }) => heldBy?.(db, userId))
      return (await Promise.all(holding)).find((held) => held && held.names.length > 0)
    },
  }
}

function providersOf(providers: readonly CredentialProvider[], isAvailable: Parts['isAvailable']) {
  const readers = new Map(
    providers.map((provider) => [provider, batchLookup((texts: string[]) => provider.read(texts))] as const),
  )
  const byKind = new Map(providers.map((provider) => [provider.kind, provider]))
  return {
    availableOf: (kind: ModuleCredentialKind | undefined) => (kind && isAvailable(kind) ? byKind.get(kind) : undefined),
    recognize: (text: string) => providers.find((provider) => provider.recognizes(text)),
    read: async (provider: CredentialProvider, text: string) => readers.get(provider)?.(text),
    /** Of texts that were in memory. */
    async readAgain(texts: readonly string[]): Promise<ReadonlyMap<string, CredentialView>> {
      const known = new Set(texts)
      const found = providers
        .filter(({ kind }) => isAvailable(kind))
        .map((provider) => provider.read(texts.filter(provider.recognizes), known))
      return new Map((await Promise.all(found)).flatMap((views) => [...views]))
    },
  }
}

/**
 * The cache contains no secrets, so the texts of the credentials that are about to be revalidated are kept here, from the use
 * that causes the revalidation until the read.
 */
function textsOfRevalidated(readAgain: ReturnType<typeof providersOf>['readAgain']) {
  const texts = new Map<CachedCredential, string>()
  return {
    note: (cached: CachedCredential, text: string) => void texts.set(cached, text),
    async readKnown(batch: readonly CachedCredential[]): Promise<ReadonlyMap<string, CredentialView>> {
      const noted = batch.map((cached) => [cached.key, texts.get(cached) ?? ''] as const)
      try {
        const views = await readAgain(noted.map(([, text]) => text).filter((text) => text !== ''))
        return new Map(
          noted.flatMap(([key, text]) => (views.has(text) ? [[key, views.get(text) as CredentialView]] : [])),
        )
      } finally {
        for (const cached of batch) texts.delete(cached)
        // Those that were used while the last batch was completed.
        for (const cached of texts.keys()) if (!cached.isBeingRevalidated) texts.delete(cached)
      }
    },
  }
}
