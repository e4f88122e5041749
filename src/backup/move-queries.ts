import { sql } from 'kysely'
import type { Db } from '../db/tables.ts'

/**
 * Nodes check only at intervals whether the database has moved, so triggers reject writes that would be lost. A write
 * waiting for the move's lock is also rejected.
 */
export async function rejectWrites(tx: Db, tables: readonly string[]): Promise<void> {
  // Nodes return 503 for this error code.
  await sql`CREATE OR REPLACE FUNCTION refuse_writes_after_move() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      RAISE EXCEPTION 'The data of this database was moved. See "wardenry move --undo".'
        USING ERRCODE = 'operator_intervention';
    END $$`.execute(tx)
  for (const table of tables)
    await sql`CREATE TRIGGER refuse_writes_after_move BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE
      ON ${sql.table(table)} FOR EACH STATEMENT EXECUTE FUNCTION refuse_writes_after_move()`.execute(tx)
}

/** Also drops the triggers. */
export const acceptWrites = (tx: Db) => sql`DROP FUNCTION IF EXISTS refuse_writes_after_move() CASCADE`.execute(tx)
