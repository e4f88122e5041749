import type { Context } from '../../context.ts'
import type { Http } from '../../http/server/create-server.ts'
import type { PostTypeRules } from './post-type-provider.ts'

/** Milliseconds. Bounds how stale a reply can be after a write on another node or outside the routes. */
const lifetime = 1_000
/** The total size of all cached replies, in characters. */
const maxBytes = 32 * 1024 * 1024

interface CachedReply {
  text: string
  types: PostTypeRules
  goodUntil: number
}

/** Only replies about public posts to readers without a session are cached; all others come from the database. */
export interface ReplyCache {
  recall(name: string): string | undefined
  /** Call before reading the post. The returned function caches nothing if a write happened meanwhile. */
  beginRead(): (name: string, text: string) => void
  clear(): void
}

export function createReplyCache(
  { postTypeProvider }: Pick<Context, 'postTypeProvider'>,
  now = () => performance.now(),
): ReplyCache {
  const entries = new Map<string, CachedReply>()
  let room = maxBytes
  let age = 0
  const clear = () => {
    age++
    entries.clear()
    room = maxBytes
  }
  return {
    clear,
    recall(name) {
      const cached = entries.get(name)
      // Read restrictions depend on the type definitions, so a change of these invalidates the reply.
      return cached && now() < cached.goodUntil && cached.types === postTypeProvider.recall() ? cached.text : undefined
    },
    beginRead() {
      const [begun, goodUntil, types] = [age, now() + lifetime, postTypeProvider.recall()]
      return (name, text) => {
        if (begun !== age || types === undefined) return
        room += (entries.get(name)?.text.length ?? 0) - text.length
        entries.set(name, { text, types, goodUntil })
        if (room < 0) clear()
      }
    },
  }
}

/** Writes are visible on this node at once. Reactions, bookmarks and views only change counts and may show later. */
export function clearOnWrite(http: Http, cache: ReplyCache): void {
  http.addHook('onRoute', (route) => {
    const { module, limit } = route.config ?? {}
    const id = typeof module === 'string' ? module : module?.id
    if (id !== 'blog' || limit === 'interact' || [route.method].flat().every((method) => reads.has(method))) return
    route.onSend = (_request, _reply, payload, done) => {
      cache.clear()
      done(null, payload)
    }
  })
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD'])
