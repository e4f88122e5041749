import { sql } from 'kysely'
import type { Db } from './tables.ts'

export interface SqlObject {
  kind: 'index' | 'function' | 'trigger'
  name: string
  table?: string
}

const patterns = {
  index: /\bCREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(\w+)/gi,
  function: /\bCREATE (?:OR REPLACE )?FUNCTION (\w+)/gi,
  trigger: /\bCREATE (?:OR REPLACE )?TRIGGER (\w+)\s[^;]*?\sON (\w+)/gi,
} as const

export function objectsOf(text: string): SqlObject[] {
  const statements = text.replace(/--.*$/gm, '').replace(/\$\$.*?\$\$/gs, '')
  return Object.entries(patterns).flatMap(([kind, pattern]) =>
    [...statements.matchAll(pattern)].map(([, name = '', table]) => ({
      kind: kind as SqlObject['kind'],
      name,
      ...(table && { table }),
    })),
  )
}

export const tablesIn = (text: string): string[] => [
  ...new Set(
    [...text.replace(/--.*$/gm, '').matchAll(/\bCREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi)].map(([, name = '']) => name),
  ),
]

export const nameOfObject = ({ kind, name, table }: SqlObject): string =>
  `${kind} ${name}${table ? ` on ${table}` : ''}`

/** Finds the missing objects. Disabled triggers count as missing. */
export async function findLost<Wanted extends SqlObject>(db: Db, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const [kinds, names, tables] = [
    wanted.map(({ kind }) => kind),
    wanted.map(({ name }) => name),
    wanted.map(({ table }) => table ?? null),
  ]
  // `pg_function_is_visible` would be called for every function of PostgreSQL, which takes 50 ms.
  const { rows } = await sql<{ position: number }>`
    SELECT o.position::int - 1 AS position
    FROM unnest(${kinds}::text[], ${names}::text[], ${tables}::text[]) WITH ORDINALITY AS o(kind, name, "table", position)
    WHERE NOT CASE o.kind
      WHEN 'index' THEN EXISTS (SELECT FROM pg_index WHERE indexrelid = to_regclass(quote_ident(o.name)))
      WHEN 'function' THEN EXISTS (SELECT FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
        WHERE p.proname = o.name AND n.nspname = ANY (current_schemas(false)))
      ELSE EXISTS (SELECT FROM pg_trigger
        WHERE tgrelid = to_regclass(quote_ident(o."table")) AND tgname = o.name AND tgenabled IN ('O', 'A'))
    END`.execute(db)
  return rows.flatMap(({ position }) => wanted[position] ?? [])
}
