import { type Clock, minute } from './time.ts'

const maxCollected = 50_000
const perWrite = 1_000

interface Parts<Use, Note> {
  clock: Clock
  start(use: Use): Note
  /** Changes the note, because this is called at every use. */
  add(note: Note, use: Use): void
  write(notes: readonly (readonly [key: string, note: Note])[]): Promise<void>
  failed(error: unknown): void
}

export interface NoteWriter<Use> {
  /** Does not write. */
  note(key: string, use: Use): void
  /** Writes the notes of keys whose last write was a minute ago, or with `all`, of all keys. */
  flush(all?: boolean): Promise<void>
}

/** Collects notes about what is used often, so that its row is written at most once a minute. */
export function createNoteWriter<Use, Note>({ clock, start, add, write, failed }: Parts<Use, Note>): NoteWriter<Use> {
  const collected = new Map<string, Note>()
  let writtenAt = new Map<string, number>()
  return {
    note(key, use) {
      const known = collected.get(key)
      if (known !== undefined) add(known, use)
      else if (collected.size < maxCollected) collected.set(key, start(use))
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
