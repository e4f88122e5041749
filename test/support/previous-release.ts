import { cpSync, existsSync, readdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkOut, git } from './checked-out.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const root = resolve(import.meta.dirname, '../..')

/** Two trees whose services must work alongside each other on one database. The older one may have fewer migrations. */
interface ReleasePair {
  name: string
  older(): string
  newer(): string
}

/**
 * This tree with a tree that has one more migration, and the previous release with this tree. The previous release is
 * PREVIOUS_RELEASE, or the last tag before this revision. Without either, there is only the first pair.
 */
export function releasePairs(): ReleasePair[] {
  const withNext = { name: 'this release and the next migration', older: () => root, newer: treeWithNextMigration }
  const previous = previousRevision()
  if (previous === undefined) return [withNext]
  return [withNext, { name: `${previous} and this release`, older: () => checkOut(previous), newer: () => root }]
}

function previousRevision(): string | undefined {
  if (process.env.PREVIOUS_RELEASE) return git('rev-parse', process.env.PREVIOUS_RELEASE)
  try {
    return git('describe', '--tags', '--abbrev=0', '--match', 'v*', 'HEAD^')
  } catch {
    return undefined
  }
}

const migrations = 'src/db/migrations'

/** The names of the migrations, in order. */
export const migrationsIn = (tree: string): string[] => readdirSync(join(tree, migrations)).sort()

// Adds what a release may add, so that the services of this tree must work with it.
const nextMigration = `ALTER TABLE users ADD COLUMN next_column text NOT NULL DEFAULT 'next';
CREATE TABLE next_table (user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE);
INSERT INTO next_table (user_id) SELECT id FROM users;
CREATE INDEX sessions_next ON sessions (created_at);
`

let copy: string | undefined

function treeWithNextMigration(): string {
  copy ??= createCopy()
  return copy
}

function createCopy(): string {
  const tree = temporaryDirectory('next-migration')
  // The times are kept, because they decide whether the service starts from its bundle.
  const options = { recursive: true, preserveTimestamps: true }
  for (const name of ['bin', 'src', 'package.json', 'build/app', 'build/embedded.tar.gz'])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(tree, name), options)
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'))
  const number = Number(migrationsIn(tree).at(-1)?.slice(0, 3)) + 1
  const file = join(tree, migrations, `${String(number).padStart(3, '0')}_next.sql`)
  writeFileSync(file, nextMigration)
  utimesSync(file, 0, 0)
  return tree
}

/** Omits rate limits because the previous release may not know all of them and rejects unknown settings. */
export const forBothReleases = (settings: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(settings).filter(([name]) => !name.startsWith('RATE_LIMIT_')))
