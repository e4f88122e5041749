import type {
  CachedCredential,
  Context,
  CredentialProvider,
  Credentials,
  FoundCredential,
  LoadOptions,
  ModuleCredentialKind,
} from '../context.ts'
import { batchLookup } from '../lib/batch-lookup.ts'
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
}

/** How often a credential is read again because the roles of its user changed during the read. */
const maxAttempts = 5

/** Looks up credentials in memory, then in the shared cache, then with their provider. */
export function createCredentials({ providers, isAvailable, applicationRoles, ...parts }: Parts): Credentials {
  const { clock, config } = parts
  const cache = createCredentialCache(parts)
  const { recognize, availableOf, read: readBatch } = providersOf(providers, isAvailable)
  /** Undefined if the roles must be read first. */
  const recall = (text: string): FoundCredential | undefined => {
    const cached = cache.recall(sha256(text))
    const provider = availableOf(cached?.view.kind)
    if (!cached || !provider || cached.view.grants.version > applicationRoles.version) return undefined
    return { provider, cached, source: 'memory', roles: applicationRoles.current() }
  }

  async function read(provider: CredentialProvider, text: string): Promise<CachedCredential | undefined> {
    const begun = { readAt: clock.now(), generation: cache.generation() }
    const view = await readBatch(provider, text)
    if (!view || (view.expiresAt !== null && view.expiresAt <= clock.now())) return undefined
    return cache.keep(sha256(text), view, begun)
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
    const cached = await read(provider, text)
    return cached && { cached, source: 'database' as const }
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
      const until = found && found.cached.freshness.readAt + config.SESSION_VALIDATION_CACHE_TTL / 2
      return until !== undefined && clock.now() < until ? found : undefined
    },
    load,
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
  }
}
