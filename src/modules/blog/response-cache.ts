import type { Context } from '../../context.ts'
import type { HttpServer } from '../../http/server/types.ts'
import { createVersionedCache, type Versioned } from '../../lib/versioned-cache.ts'
import type { PostTypeRules } from './post-type-provider.ts'

/** In milliseconds. A response may be stale for this long after another node or a job has changed a post. */
const lifetime = 1_000
/** The maximum total size of cached responses, in characters. */
const maxCharacters = 32 * 1024 * 1024

interface CachedResponse extends Versioned {
  text: string
  types: PostTypeRules
}

export type ResponseCache = ReturnType<typeof createResponseCache>

/** Caches only responses with public posts for readers without a session. */
export function createResponseCache(
  { postTypeProvider }: Pick<Context, 'postTypeProvider'>,
  now = () => performance.now(),
) {
  const weightOf = ({ text }: CachedResponse) => text.length
  const responses = createVersionedCache<CachedResponse>({ maxWeight: maxCharacters, weightOf, clock: { now } })
  let epoch = 0
  return {
    recall(name: string): string | undefined {
      const cached = responses.recall(name)
      // Access depends on the type definitions, so changed definitions invalidate the response.
      return cached && cached.types === postTypeProvider.recall() ? cached.text : undefined
    },
    /** Call this before reading the post. If a write occurs in the meantime, the returned function caches nothing. */
    beginRead() {
      const [readAt, types, generation] = [now(), postTypeProvider.recall(), responses.generation()]
      const freshUntil = readAt + lifetime
      const version = { owners: [{ id: 'blog', epoch }], freshness: { readAt, revalidateFrom: freshUntil, freshUntil } }
      return (name: string, text: string) => {
        if (types !== undefined) responses.set({ key: name, ...version, text, types }, generation)
      }
    },
    invalidate() {
      epoch++
      responses.invalidate('blog', epoch)
    },
  }
}

/** Reactions, bookmarks and views do not invalidate responses, so counts may be a second old. */
export function invalidateOnWrite(http: HttpServer, cache: ResponseCache): void {
  http.addHook('onRoute', (route) => {
    const { module, limit } = route.config ?? {}
    const id = typeof module === 'string' ? module : module?.id
    if (id !== 'blog' || limit === 'interact' || [route.method].flat().every((method) => reads.has(method))) return
    route.onSend = (_request, _reply, payload, done) => {
      cache.invalidate()
      done(null, payload)
    }
  })
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD'])
