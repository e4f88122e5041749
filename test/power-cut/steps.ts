import { createHash } from 'node:crypto'

/**
 * A transaction in the workload, or a statement that cannot run in a transaction. A step's number determines its
 * content.
 */
export interface Step {
  /** True for CHECKPOINT and VACUUM, which run outside a transaction. */
  isMaintenance: boolean
  statements: string[]
  change(state: State): void
}

export interface State {
  notes: Map<number, string>
  tables: Set<string>
}

export const setup = `
  CREATE TABLE progress (step integer NOT NULL);
  INSERT INTO progress VALUES (0);
  CREATE TABLE notes (id integer PRIMARY KEY, text text NOT NULL);
  CREATE TABLE copies (id integer PRIMARY KEY REFERENCES notes, text text NOT NULL);
  CREATE INDEX copies_by_text ON copies (md5(text))`

/**
 * The workload writes rows of up to several pages in two tables, creates and drops tables, rolls back, and runs
 * CHECKPOINT and VACUUM.
 */
export function stepOf(number: number): Step {
  const id = Math.floor(random(number, 'id') * 60)
  if (number % 23 === 0) return maintenance(random(number, 'maintenance') < 0.6 ? 'CHECKPOINT' : 'VACUUM (ANALYZE)')
  if (number % 13 === 0) return tableStep(`extra_${(number / 13) % 4}`, number)
  if (random(number, 'kind') < 0.3) {
    return step(number, [`DELETE FROM copies WHERE id = ${id}`, `DELETE FROM notes WHERE id = ${id}`], ({ notes }) => {
      notes.delete(id)
    })
  }
  const text = textOf(number)
  const write = (table: string) =>
    `INSERT INTO ${table} VALUES (${id}, '${text}') ON CONFLICT (id) DO UPDATE SET text = excluded.text`
  return step(number, [write('notes'), write('copies')], ({ notes }) => void notes.set(id, text))
}

/** A transaction that runs concurrently with the steps and is never committed. */
export const abandoned = (number: number): string[] => [
  'BEGIN',
  `INSERT INTO notes VALUES (${-number}, 'abandoned')`,
  'ROLLBACK',
]

export function stateAfter(number: number): State {
  const state: State = { notes: new Map(), tables: new Set() }
  for (let at = 1; at <= number; at++) stepOf(at).change(state)
  return state
}

function step(number: number, statements: string[], change: Step['change']): Step {
  return { isMaintenance: false, statements: [...statements, `UPDATE progress SET step = ${number}`], change }
}

const maintenance = (statement: string): Step => ({ isMaintenance: true, statements: [statement], change: () => {} })

function tableStep(name: string, number: number): Step {
  return step(
    number,
    [
      `DO $$ BEGIN
         IF to_regclass('${name}') IS NULL THEN
           CREATE TABLE ${name} AS SELECT id, text FROM notes;
           CREATE INDEX ON ${name} (id);
         ELSE
           DROP TABLE ${name};
         END IF;
       END $$`,
    ],
    ({ tables }) => {
      if (!tables.delete(name)) tables.add(name)
    },
  )
}

function textOf(number: number): string {
  const length = random(number, 'size') < 0.2 ? 30_000 : 300
  // Text that does not compress well, so long values are stored outside their rows.
  let text = ''
  for (let part = 0; text.length < random(number, 'length') * length; part++) text += hash(number, `text ${part}`)
  return text
}

const random = (number: number, purpose: string): number =>
  Number.parseInt(hash(number, purpose).slice(0, 8), 16) / 0x1_0000_0000

const hash = (number: number, purpose: string): string =>
  createHash('sha256').update(`${number} ${purpose}`).digest('hex')
