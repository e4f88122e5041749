import type { FileStore } from '../adapters/files/port.ts'
import type { Db } from '../db/tables.ts'
import { thumbnailOf } from '../users/picture-address.ts'
import { findUnusedPictures } from './queries.ts'

/** Names are random, so any text of this form is a picture name. */
const form = /\b[0-9a-f]{32}\.webp\b/g

/** Rows in these tables may refer to deleted pictures. */
const historyTables = new Set(['audit_events', 'post_revisions'])

/** Collects the names of the pictures that rows in any table, including module tables, refer to. */
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

const withThumbnail = (name: string) => [
  { name, isThumbnail: false },
  { name: thumbnailOf(name), isThumbnail: true },
]

interface PictureSource {
  tx: Db
  files: FileStore
  names: PictureNames
  /** Called for each picture that should exist but does not. */
  onMissing(): void
}

export async function* readPictures({ tx, files, names, onMissing }: PictureSource) {
  const unused = new Set(await findUnusedPictures(tx))
  for (const { name, isThumbnail } of names.all().flatMap(withThumbnail)) {
    const bytes = await files.get(name)
    if (bytes) yield { name, content: Buffer.from(bytes) }
    // Post images have no thumbnail.
    else if (!isThumbnail && names.isNeeded(name) && !unused.has(name)) onMissing()
  }
}
