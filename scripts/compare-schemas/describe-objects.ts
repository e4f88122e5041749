import type { Query } from './describe-rows.ts'

const own = `n.nspname NOT IN ('information_schema', 'pg_catalog', 'pg_toast') AND n.nspname NOT LIKE 'pg_temp%'`

const ofTables = `FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${own}`

// Each query returns a name and the text that describes the object. The position of a column counts only existing
// columns, because a dropped one leaves a gap that no statement can see.
const queries: Record<string, string> = {
  schema: `SELECT nspname AS name, coalesce(nspacl::text, '') AS text FROM pg_namespace n WHERE ${own}`,
  extension: `SELECT extname AS name, '' AS text FROM pg_extension`,
  relation: `SELECT c.oid::regclass::text AS name, concat_ws(', ', c.relkind, c.relpersistence, c.relreplident,
      c.reloptions::text, c.relacl::text, c.relrowsecurity, c.relispartition, obj_description(c.oid, 'pg_class')) AS text
    ${ofTables} AND c.relkind <> 'i'`,
  column: `SELECT c.oid::regclass::text || '.' || a.attname AS name, concat_ws(', ',
      (SELECT count(*) FROM pg_attribute b
        WHERE b.attrelid = a.attrelid AND b.attnum > 0 AND b.attnum <= a.attnum AND NOT b.attisdropped),
      format_type(a.atttypid, a.atttypmod), 'collation ' || nullif(a.attcollation, 0)::regcollation::text,
      CASE WHEN a.attnotnull THEN 'not null' END, 'generated ' || nullif(a.attgenerated::text, ''),
      'identity ' || nullif(a.attidentity::text, ''), pg_get_expr(d.adbin, d.adrelid), a.attstorage, a.attacl::text,
      col_description(c.oid, a.attnum)) AS text
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE ${own} AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`,
  constraint: `SELECT o.conrelid::regclass::text || ' ' || o.conname AS name,
      concat_ws(', ', pg_get_constraintdef(o.oid), obj_description(o.oid, 'pg_constraint')) AS text
    FROM pg_constraint o JOIN pg_namespace n ON n.oid = o.connamespace WHERE ${own}`,
  index: `SELECT c.oid::regclass::text AS name, concat_ws(', ', pg_get_indexdef(c.oid), c.reloptions::text,
      CASE WHEN NOT i.indisvalid THEN 'invalid' END, obj_description(c.oid, 'pg_class')) AS text
    FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${own}`,
  trigger: `SELECT t.tgrelid::regclass::text || ' ' || t.tgname AS name,
      concat_ws(', ', pg_get_triggerdef(t.oid), t.tgenabled, obj_description(t.oid, 'pg_trigger')) AS text
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE ${own} AND NOT t.tgisinternal`,
  function: `SELECT p.oid::regprocedure::text AS name,
      concat_ws(', ', pg_get_functiondef(p.oid), p.proacl::text, obj_description(p.oid, 'pg_proc')) AS text
    FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE ${own} AND p.prokind IN ('f', 'p')`,
  sequence: `SELECT c.oid::regclass::text AS name, concat_ws(', ', s.seqtypid::regtype, s.seqstart, s.seqincrement,
      s.seqmin, s.seqmax, s.seqcache, s.seqcycle) AS text
    FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${own}`,
  type: `SELECT t.oid::regtype::text AS name, concat_ws(', ', t.typtype,
      (SELECT string_agg(e.enumlabel, ' ' ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = t.oid)) AS text
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE ${own} AND t.typtype IN ('d', 'e', 'r')`,
  view: `SELECT c.oid::regclass::text AS name, pg_get_viewdef(c.oid) AS text ${ofTables} AND c.relkind IN ('v', 'm')`,
  policy: `SELECT c.oid::regclass::text || ' ' || o.polname AS name, concat_ws(', ', o.polcmd, o.polroles::text,
      pg_get_expr(o.polqual, o.polrelid), pg_get_expr(o.polwithcheck, o.polrelid)) AS text
    FROM pg_policy o JOIN pg_class c ON c.oid = o.polrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${own}`,
  privilege: `SELECT concat_ws(' ', defaclrole::regrole, defaclnamespace::regnamespace, defaclobjtype) AS name,
      defaclacl::text AS text FROM pg_default_acl`,
}

export async function describeObjects(query: Query): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const [kind, text] of Object.entries(queries))
    for (const row of await query<{ name: string; text: string }>(text, [])) found.set(`${kind} ${row.name}`, row.text)
  return found
}
