import { thumbnailOf } from '../users/picture-address.ts'

/** Names are random, so any text of this form is a picture name. */
const form = /\b[0-9a-f]{32}\.webp\b/g

/** Rows in these tables may refer to deleted pictures. */
const historyTables = new Set(['audit_events', 'post_revisions'])

/** Collects the names of the pictures that rows in any table refer to, including module tables. */
export function pictureNames() {
  const needed = new Map<string, boolean>()
  return {
    find: (text: string, table: string) => {
      const isHistory = historyTables.has(table)
      for (const [name] of text.matchAll(form)) needed.set(name, needed.get(name) === true || !isHistory)
    },
    all: (): string[] => [...needed.keys()],
    isNeeded: (name: string): boolean => needed.get(name) === true,
  }
}

export type PictureNames = ReturnType<typeof pictureNames>

export const withThumbnail = (name: string) => [
  { name, isThumbnail: false },
  { name: thumbnailOf(name), isThumbnail: true },
]
