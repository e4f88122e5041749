import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { sources } from '../../src/import/sources/index.ts'
import type { Mapped, UserSource, UserSourceOptions } from '../../src/import/sources/source.ts'

/** The options that the fixtures need. The Firebase key is the example in the documentation of Firebase's scrypt. */
export const fixtureOptions: Record<string, UserSourceOptions> = {
  auth0: { roles: 'editor=writer' },
  firebase: {
    'signer-key': 'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    'salt-separator': 'Bw==',
  },
  wordpress: { roles: 'administrator=admin,editor=writer', verified: 'yes' },
  csv: { last_name: 'Surname', is_verified: 'verified' },
}

/** All formats except our own. */
export const otherSystems = sources.filter(({ name }) => name !== 'wardenry')

const files: Record<string, string> = {
  csv: 'csv.csv',
  jsonl: 'jsonl.jsonl',
  auth0: 'auth0.jsonl',
  firebase: 'firebase.json',
  supabase: 'supabase.jsonl',
  cognito: 'cognito.json',
  keycloak: 'keycloak.json',
  clerk: 'clerk.csv',
  'better-auth': 'better-auth.jsonl',
  wordpress: 'wordpress.json',
  laravel: 'laravel.jsonl',
}

export function sourceNamed(name: string): UserSource {
  const source = sources.find((one) => one.name === name)
  if (!source) throw new Error(`no source ${name}`)
  return source
}

export const fixturePath = (name: string): string => join(import.meta.dirname, 'fixtures', files[name] ?? '')

export function fixtureRows(name: string): readonly unknown[] {
  const file = files[name] ?? ''
  const text = readFileSync(fixturePath(name), 'utf8')
  const kind = extname(file).slice(1)
  if (kind === 'csv') return csvRows(text)
  if (kind === 'jsonl')
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  const reading = sourceNamed(name).reading.find((one) => one.kind === 'json')
  return reading?.kind === 'json' ? reading.rowsOf(JSON.parse(text)) : []
}

export const mapFixture = (name: string, options: UserSourceOptions = fixtureOptions[name] ?? {}): Mapped[] =>
  fixtureRows(name).map((row) => sourceNamed(name).toRecord(row, options))

/** Sufficient for the fixtures: no line breaks inside cells. */
function csvRows(text: string): Record<string, string>[] {
  const [header = [], ...lines] = text
    .trim()
    .split(/\r?\n/)
    .map((line) =>
      [...`,${line}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    )
  return lines.map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])))
}
