import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram, searchPath } from '../../test/support/find-program.ts'
import { findPostgres } from '../../test/support/postgres.ts'

// Each statement of a dump is preceded by a comment such as `-- Name: users; Type: TABLE; Schema: public; Owner: x`.
const heading = /^--\n-- Name: (.*)\n--\n/gm
const footer = /^--\n-- PostgreSQL database dump complete\n.*/ms

/** The statements by their headings, because statements without dependencies have no fixed order. */
export function dumpSchema(url: string): Map<string, string> {
  // The version of `pg_dump` must not be older than that of the server.
  const besideServer = dirname(realpathSync(join(findPostgres() ?? '', 'postgres')))
  const program = findProgram(['pg_dump'], [besideServer, ...searchPath()])
  if (!program) throw new Error('pg_dump was not found')
  const text = execFileSync(program, ['--schema-only', url], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const [, ...parts] = text.replace(footer, '').split(heading)
  const statements = new Map<string, string>()
  for (let at = 0; at < parts.length; at += 2) statements.set(`pg_dump ${parts[at]}`, (parts[at + 1] ?? '').trim())
  return statements
}
