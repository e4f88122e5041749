import { sql } from 'kysely'
import type { Db } from './tables.ts'

/** A mark's value is the id of the backup (`restore`) or the copy (`moving`), or names the new database (`moved`). */
export type InstallationMark = 'restore' | 'moving' | 'moved'

const allMarks: readonly InstallationMark[] = ['restore', 'moving', 'moved']

const factOf = (mark: InstallationMark): string => `unusable_${mark}`

/** This table announces a restore, because the table for marks does not exist before the restore. */
export const announcementStatement = 'CREATE TABLE IF NOT EXISTS wardenry_restore ()'

export class UnusableDatabase extends Error {}

/**
 * A partly restored database would revive ended sessions. After a move, writes to the original database would be lost.
 */
export async function assertUsable(db: Db): Promise<void> {
  if (await isAnnounced(db))
    throw new UnusableDatabase(
      'Data is being restored or moved to this database, or that was interrupted. Run the same "wardenry restore" or ' +
        '"wardenry move" command again. To use the empty database instead, run the statement DROP TABLE ' +
        'wardenry_restore, or remove the directory "postgres" of the embedded database.',
    )
  const marks = await findMarks(db)
  if (marks.has('restore'))
    throw new UnusableDatabase(
      'A backup was not completely restored to this database. Run "wardenry restore" again with the same file, ' +
        'which completes it.',
    )
  if (marks.has('moving'))
    throw new UnusableDatabase(
      'The move to this database was not completed. Run the same "wardenry move" command again, with the settings of ' +
        'the original: it completes the move or explains what to do.',
    )
  const target = marks.get('moved')
  if (target)
    throw new UnusableDatabase(
      `The data of this database was moved to ${target}. Use that one. To use this one again and give up every ` +
        'change made in the other, run "wardenry move --undo --yes".',
    )
}

/** Without the announcement, a service that starts after an interruption would create an empty installation. */
export const announceRestore = (db: Db) => sql.raw(announcementStatement).execute(db)

export const withdrawRestore = (db: Db) => sql`DROP TABLE IF EXISTS wardenry_restore`.execute(db)

/** Any role that can create tables can create this table, so the table is ignored in an existing installation. */
const isAnnounced = async (db: Db): Promise<boolean> =>
  (await tableExists(db, 'wardenry_restore')) && !(await isInstalled(db))

export const isInstalled = (db: Db): Promise<boolean> => tableExists(db, 'schema_migrations')

export async function tableExists(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`SELECT to_regclass(${table}) IS NOT NULL AS found`.execute(db)
  return rows[0]?.found === true
}

export const findMark = async (db: Db, mark: InstallationMark): Promise<string | undefined> =>
  (await findMarks(db)).get(mark)

async function findMarks(db: Db): Promise<Map<InstallationMark, string>> {
  if (!(await tableExists(db, 'installation_facts'))) return new Map()
  const found = await db
    .selectFrom('installation_facts')
    .select(['fact', 'value'])
    .where('fact', 'in', allMarks.map(factOf))
    .execute()
  const marks = new Map<InstallationMark, string>()
  for (const mark of allMarks) {
    const value = found.find(({ fact }) => fact === factOf(mark))?.value
    if (value) marks.set(mark, value)
  }
  return marks
}

export const setMark = (db: Db, mark: InstallationMark, value: string) =>
  db
    .insertInto('installation_facts')
    .values({ fact: factOf(mark), since: sql<Date>`now()`, value })
    .onConflict((conflict) => conflict.column('fact').doUpdateSet({ value }))
    .execute()

/** A copy of the data must not inherit its source's marks. */
export const clearMarks = (db: Db, marks: readonly InstallationMark[] = allMarks) =>
  db.deleteFrom('installation_facts').where('fact', 'in', marks.map(factOf)).execute()
