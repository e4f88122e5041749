import type {
  CachedCredential,
  CredentialProvider,
  Credentials,
  LoadOptions,
  ModuleCredentialKind,
} from '../context.ts'
import { batchLookup } from '../lib/batch-lookup.ts'
import { sha256 } from '../lib/hash.ts'
import { type CacheParts, createCredentialCache } from './credential-cache.ts'

interface Parts extends CacheParts {
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

/** Looks up credentials in memory, then in the shared cache, then with their provider. */
export function createCredentials({ providers, isAvailable, ...parts }: Parts): Credentials {
  const { clock, config } = parts
  const cache = createCredentialCache(parts)
  const readers = new Map(
    providers.map((provider) => [provider, batchLookup((texts: string[]) => provider.read(texts))] as const),
  )
  const recognize = (text: string) => providers.find((provider) => provider.recognizes(text))
  const available = (text: string): CredentialProvider | undefined => {
    const provider = recognize(text)
    return provider && isAvailable(provider.kind) ? provider : undefined
  }
  const recall = (text: string): CachedCredential | undefined =>
    available(text) ? cache.recall(sha256(text)) : undefined

  async function read(provider: CredentialProvider, text: string): Promise<CachedCredential | undefined> {
    const begun = { readAt: clock.now(), generation: cache.generation() }
    const view = await readers.get(provider)?.(text)
    if (!view || (view.expiresAt !== null && view.expiresAt <= clock.now())) return undefined
    return cache.keep(sha256(text), view, begun)
  }

  return {
    kinds: () => ['session', ...providers.map(({ kind }) => kind).filter(isAvailable)],
    recognize,
    recall,
    recallYoung(text) {
      const cached = recall(text)
      return cached && clock.now() < cached.freshness.readAt + config.SESSION_VALIDATION_CACHE_TTL / 2
        ? cached
        : undefined
    },
    async load(text, { freshness, beforeRead }: LoadOptions) {
      const provider = available(text)
      if (!provider) return undefined
      const shared = freshness === 'copy' ? await cache.loadShared(sha256(text)) : undefined
      if (shared) return { cached: shared, source: 'redis' }
      beforeRead?.()
      const cached = await read(provider, text)
      return cached && { cached, source: 'database' }
    },
  }
}
