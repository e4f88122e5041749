import { type Clock, minute } from './time.ts'

const maxCollected = 50_000
const perWrite = 1_000

interface Parts<Note> {
  clock: Clock
  /** Combines a note with the one that was collected before it. */
  merge(former: Note | undefined, note: Note): Note
  write(notes: readonly (readonly [key: string, note: Note])[]): Promise<void>
  failed(error: unknown): void
}

export interface NoteWriter<Note> {
  /** Does not write. */
  note(key: string, note: Note): void
  /** Writes the notes of keys whose last write was a minute ago, or with `all`, of all keys. */
  flush(all?: boolean): Promise<void>
}

/** Collects notes about what is used often, so that its row is written at most once a minute. */
export function createNoteWriter<Note>({ clock, merge, write, failed }: Parts<Note>): NoteWriter<Note> {
  const collected = new Map<string, Note>()
  let writtenAt = new Map<string, number>()
  return {
    note(key, note) {
      const former = collected.get(key)
      if (former === undefined && collected.size >= maxCollected) return
      collected.set(key, merge(former, note))
    },
    async flush(all = false) {
      const before = clock.now() - minute
      writtenAt = new Map([...writtenAt].filter(([, at]) => at > before))
      const due = [...collected].filter(([key]) => all || !writtenAt.has(key)).slice(0, perWrite)
      if (due.length === 0) return
      for (const [key] of due) {
        collected.delete(key)
        writtenAt.set(key, clock.now())
      }
      // There is no retry, because the next use is noted anyway.
      await write(due).catch(failed)
    },
  }
}
