import { CompiledQuery } from 'kysely'
import type { Db } from './tables.ts'

/** SQL that is ready as text, for those who hold no Kysely: sent by name like every other statement. */
export const rawQuery =
  (db: Db) =>
  async (text: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
    (await db.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text, values))).rows
