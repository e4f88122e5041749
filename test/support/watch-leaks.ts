import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { App } from '../../src/app.ts'
import { isWriteOnlyName } from '../../src/lib/write-only.ts'
import { openPayload } from '../../src/outbox/enqueue.ts'
import { knownPasswords } from './people.ts'
import { inHex } from './rows.ts'

/** Searches responses, the log, emails and the database for passwords and for values of write-only members. */
export interface LeakWatch {
  /** Call this before each request. Values of write-only members in the request must not appear in any later output. */
  sent(url: string, ...parts: unknown[]): void
  /** Throws if a response contains one of these values, a password, or a write-only member. */
  replied(text: string, where: string): void
  logged(line: string): void
  /** Throws if the log contains one of these values, or if one is stored outside the table of write-only data. */
  end(app: App): Promise<void>
}

/** Shorter values are ignored because they may occur in text by chance. */
const shortest = 8

export function watchLeaks(): LeakWatch {
  const writeOnly = new Set<string>()
  const shown: string[] = []
  const findIn = (text: string, form: (value: string) => string) =>
    [...writeOnly, ...knownPasswords].find((value) => text.includes(form(value)))
  const find = (text: string) => findIn(text, (value) => value)
  return {
    sent(url, ...parts) {
      const query = Object.fromEntries(new URLSearchParams(url.split('?')[1]))
      for (const value of [query, ...parts.map(parsed)].flatMap((part) => valuesIn(part))) writeOnly.add(value)
    },
    replied(text, where) {
      const found = find(text) ?? (/\/openapi\.json\/?$/.test(where) ? undefined : memberName.exec(text)?.[0])
      assert.ok(found === undefined, `${where} shows what it never should: ${found}`)
    },
    logged(line) {
      if (find(line) !== undefined) shown.push(line)
    },
    async end(app) {
      assert.deepEqual(shown, [], 'logs show no password, and nothing that is write-only')
      if (writeOnly.size === 0) return
      for (const [place, text] of await everythingKept(app)) {
        const found = find(text) ?? findIn(text, inHex)
        assert.ok(found === undefined, `${place} keeps what it never should: ${found}`)
      }
    },
  }
}

const memberName = /"(acquisition\w*|team_?size_?range)"\s*:/i

function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** All text in write-only members, at any depth that the service reads. */
function valuesIn(value: unknown, isBelow = false, depth = 0): string[] {
  if (typeof value === 'string') return isBelow && value.length >= shortest && !isTeamSize(value) ? [value] : []
  if (typeof value !== 'object' || value === null || value instanceof Buffer || depth > 20) return []
  return Object.entries(value).flatMap(([name, inner]) => valuesIn(inner, isBelow || isWriteOnlyName(name), depth + 1))
}

/** This error message is excluded because it lists all valid team sizes. */
const isTeamSize = (value: string): boolean => value === '501-1000'

/** The rows of all tables as text, the contents of queued messages, and the sent emails. */
async function everythingKept({ ctx, inbox }: App): Promise<[place: string, text: string][]> {
  const { rows: tables } = await sql<{ name: string }>`
    SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname IN ('public', 'jobs') AND tablename <> 'user_acquisition'`.execute(ctx.db)
  const contents = await Promise.all(
    tables.map(async ({ name }): Promise<[string, string]> => {
      const { rows } = await sql<{ row: string }>`SELECT t::text AS row FROM ${sql.raw(name)} t`.execute(ctx.db)
      return [name, rows.map(({ row }) => row).join('\n')]
    }),
  )
  const waiting = await ctx.db.selectFrom('outbox').select('payload').where('payload', 'is not', null).execute()
  return [
    ...contents,
    ...waiting.map(({ payload }): [string, string] => ['outbox', JSON.stringify(openPayload(ctx, payload ?? ''))]),
    ['mail', JSON.stringify(inbox?.list() ?? [])],
  ]
}
