import type { Context } from '../../context.ts'
import type { Http } from '../../http/server/create-server.ts'
import type { PostTypeRules } from './post-types.ts'

/** Milliseconds. By this alone other nodes, and what no route writes, are never older for anybody. */
const lifetime = 1_000
/** Of all copies together, in characters. */
const maxBytes = 32 * 1024 * 1024

interface Copy {
  text: string
  types: PostTypeRules
  goodUntil: number
}

/**
 * What strangers were told of public posts, as text. Nothing else is ever copied: whoever has a session, and whatever is
 * not for everyone, is answered from the database.
 */
export interface ReplyCopies {
  /** Young enough to be sent, from this process alone: no I/O, no promise. */
  recall(name: string): string | undefined
  /** Asked before the post is read: what is kept by it is dropped when anything was written meanwhile. */
  beginRead(): (name: string, text: string) => void
  /** Forgets everything. */
  clear(): void
}

export function createReplyCopies(
  { postTypes }: Pick<Context, 'postTypes'>,
  now = () => performance.now(),
): ReplyCopies {
  const copies = new Map<string, Copy>()
  let room = maxBytes
  let age = 0
  const clear = () => {
    age++
    copies.clear()
    room = maxBytes
  }
  return {
    clear,
    recall(name) {
      const copy = copies.get(name)
      // Whom a type lets read is a matter of its definition: another one, and nothing made by the former is true.
      return copy && now() < copy.goodUntil && copy.types === postTypes.recall() ? copy.text : undefined
    },
    beginRead() {
      const [begun, goodUntil, types] = [age, now() + lifetime, postTypes.recall()]
      return (name, text) => {
        if (begun !== age || types === undefined) return
        room += (copies.get(name)?.text.length ?? 0) - text.length
        copies.set(name, { text, types, goodUntil })
        if (room < 0) clear()
      }
    },
  }
}

/**
 * Whatever a route of the blog writes is known to every reader of this node before its writer hears so. Reactions, bookmarks and
 * views come all the time and change numbers alone: these may be as old as a copy.
 */
export function clearOnWrite(http: Http, copies: ReplyCopies): void {
  http.addHook('onRoute', (route) => {
    const { module, limit } = route.config ?? {}
    const id = typeof module === 'string' ? module : module?.id
    if (id !== 'blog' || limit === 'interact' || [route.method].flat().every((method) => reads.has(method))) return
    route.onSend = (_request, _reply, payload, done) => {
      copies.clear()
      done(null, payload)
    }
  })
}

const reads: ReadonlySet<string> = new Set(['GET', 'HEAD'])
