import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NamedValue } from './kinds.ts'

interface Given {
  readonly NODE_ENV: string
  readonly DATA_DIR: string
  readonly DATABASE_URL: string | undefined
  readonly BRIDGE_SECRET: string | undefined
  readonly BRIDGE_SECRETS: NamedValue[]
  readonly DATA_KEYS: NamedValue[]
  readonly AUTH_SECRET: string | undefined
}

interface Kept {
  BRIDGE_SECRET?: string
  AUTH_SECRET?: string
  DATA_KEYS?: string
}

const command = 'openssl rand -base64 32'

/**
 * Development on the embedded database needs no secrets: missing ones are made once and kept in the data directory.
 * Production never guards people with a secret that nobody chose, and several nodes must share theirs.
 */
export function generatedSecrets(given: Given, problems: string[]) {
  const missing = [
    given.BRIDGE_SECRET === undefined && given.BRIDGE_SECRETS.length === 0 && 'BRIDGE_SECRET',
    given.AUTH_SECRET === undefined && 'AUTH_SECRET',
    given.DATA_KEYS.length === 0 && 'DATA_KEYS',
  ].filter((name) => typeof name === 'string')
  const sharedDatabase = given.DATABASE_URL !== undefined
  const isProduction = given.NODE_ENV === 'production'
  // Which back ends exist is one node's own affair in development; keys must fit the shared database.
  const required = missing.filter((name) => isProduction || (sharedDatabase && name !== 'BRIDGE_SECRET'))
  for (const name of required) problems.push(requirement(name, isProduction))
  // Tests say themselves who has a secret: without one, bridge routes answer that they are not configured.
  const wanted = missing.filter(
    (name) => !required.includes(name) && !(name === 'BRIDGE_SECRET' && given.NODE_ENV === 'test'),
  )
  if (wanted.length === 0 || problems.length > 0) return { values: {}, names: [] }

  const file = join(given.DATA_DIR, 'secrets.json')
  const before = readKept(file, problems)
  if (!before) return { values: {}, names: [] }
  const kept = { ...before }
  if (wanted.includes('BRIDGE_SECRET')) kept.BRIDGE_SECRET ??= randomBytes(32).toString('base64url')
  if (wanted.includes('AUTH_SECRET')) kept.AUTH_SECRET ??= randomBytes(32).toString('base64url')
  if (wanted.includes('DATA_KEYS')) kept.DATA_KEYS ??= randomBytes(32).toString('base64url')
  const names = Object.keys(kept).filter((name) => !(name in before))
  if (names.length > 0) {
    mkdirSync(given.DATA_DIR, { recursive: true, mode: 0o700 })
    keep(file, kept)
  }
  const values = {
    ...(wanted.includes('BRIDGE_SECRET') && { BRIDGE_SECRET: kept.BRIDGE_SECRET }),
    ...(wanted.includes('AUTH_SECRET') && { AUTH_SECRET: kept.AUTH_SECRET }),
    ...(wanted.includes('DATA_KEYS') && { DATA_KEYS: [{ name: '1', value: kept.DATA_KEYS ?? '' }] }),
  }
  return { values, names: wanted }
}

function requirement(name: string, production: boolean): string {
  const why = production ? 'is required in production' : 'is required with DATABASE_URL, where several nodes share it'
  return name === 'DATA_KEYS'
    ? `${name} ${why}: use "1:" and the output of ${command}`
    : `${name} ${why}: use ${command}`
}

/** Undefined, with a problem, when the file is there and not readable: new secrets would make worthless what the old ones guard. */
function readKept(file: string, problems: string[]): Kept | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    problems.push(`${file} cannot be read: it keeps the generated secrets, so restore it or set them yourself`)
    return undefined
  }
}

/** Whole or not at all, whenever the process dies. */
function keep(file: string, kept: Kept): void {
  const unfinished = `${file}.${process.pid}`
  writeFileSync(unfinished, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  renameSync(unfinished, file)
}
