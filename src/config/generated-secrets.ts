import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDirectory, syncPath } from '../lib/durable-write.ts'
import type { NamedValue } from './kinds.ts'

interface SecretSettings {
  readonly NODE_ENV: string
  readonly DATA_DIR: string
  readonly DATABASE_URL: string | undefined
  readonly BRIDGE_SECRET: string | undefined
  readonly BRIDGE_SECRETS: NamedValue[]
  readonly DATA_KEYS: NamedValue[]
  readonly AUTH_SECRET: string | undefined
}

export const storedNames = (dataDir: string): string[] =>
  Object.keys(readStoredSecrets(join(dataDir, 'secrets.json'), [], 'look') ?? {})

export const readSecretsFile = (dataDir: string): Buffer => readFileSync(join(dataDir, 'secrets.json'))

export const hasSecretsFile = (dataDir: string): boolean => existsSync(join(dataDir, 'secrets.json'))

/** Restores the file. Throws if the file exists, even if it is damaged. */
export function restoreSecretsFile(dataDir: string, content: Buffer): void {
  if (hasSecretsFile(dataDir)) throw new Error(`${join(dataDir, 'secrets.json')} already exists`)
  makeDirectory(dataDir)
  keep(join(dataDir, 'secrets.json'), parseSecrets(content))
}

export const secretsIn = (content: Buffer, names: readonly string[]) => valuesOf(parseSecrets(content), names)

function parseSecrets(content: Buffer): StoredSecrets {
  const kept: unknown = JSON.parse(content.toString())
  const isSound =
    typeof kept === 'object' &&
    kept !== null &&
    Object.entries(kept).every(([name, value]) => name in storable && typeof value === 'string')
  if (!isSound) throw new Error('The secrets in the backup are damaged')
  return kept
}

interface StoredSecrets {
  BRIDGE_SECRET?: string
  AUTH_SECRET?: string
  DATA_KEYS?: string
}

const storable: Record<keyof StoredSecrets, true> = { BRIDGE_SECRET: true, AUTH_SECRET: true, DATA_KEYS: true }

/**
 * `make` generates and stores missing secrets. `look` generates them without storing them. Both fail if an embedded
 * database exists and its secrets are lost; `replace` generates new secrets in this case. `restore` and `plan_restore`
 * are like `make` and `look` but without this check, because a restore compares the secrets itself.
 */
export type SecretsMode = 'make' | 'replace' | 'look' | 'restore' | 'plan_restore'

const stores: readonly SecretsMode[] = ['make', 'replace', 'restore']
const mindsLoss: readonly SecretsMode[] = ['make', 'look']

const command = 'openssl rand -base64 32'

/** Production requires configured secrets because nodes must share them. */
export function generatedSecrets(input: SecretSettings, problems: string[], mode: SecretsMode) {
  const missing = [
    input.BRIDGE_SECRET === undefined && input.BRIDGE_SECRETS.length === 0 && 'BRIDGE_SECRET',
    input.AUTH_SECRET === undefined && 'AUTH_SECRET',
    input.DATA_KEYS.length === 0 && 'DATA_KEYS',
  ].filter((name) => typeof name === 'string')
  const sharedDatabase = input.DATABASE_URL !== undefined
  const isProduction = input.NODE_ENV === 'production'
  // In development, BRIDGE_SECRET may differ between nodes, but the other secrets must be equal on all nodes.
  const required = missing.filter((name) => isProduction || (sharedDatabase && name !== 'BRIDGE_SECRET'))
  for (const name of required) problems.push(requirement(name, isProduction))
  // In tests without a bridge secret, bridge routes return NOT_CONFIGURED.
  const wanted = missing.filter(
    (name) => !required.includes(name) && !(name === 'BRIDGE_SECRET' && input.NODE_ENV === 'test'),
  )
  if (wanted.length === 0 || problems.length > 0) return { values: {}, names: [] }

  const file = join(input.DATA_DIR, 'secrets.json')
  const before = readStoredSecrets(file, problems, mode)
  if (!before) return { values: {}, names: [] }
  const kept = { ...before }
  if (wanted.includes('BRIDGE_SECRET')) kept.BRIDGE_SECRET ??= randomBytes(32).toString('base64url')
  if (wanted.includes('AUTH_SECRET')) kept.AUTH_SECRET ??= randomBytes(32).toString('base64url')
  if (wanted.includes('DATA_KEYS')) kept.DATA_KEYS ??= newDataKey(mode)
  const names = Object.keys(kept).filter((name) => !(name in before))
  const lost = names.filter((name) => name !== 'BRIDGE_SECRET')
  if (mindsLoss.includes(mode) && lost.length > 0 && existsSync(join(input.DATA_DIR, 'postgres'))) {
    problems.push(lostSecrets(file, lost))
    return { values: {}, names: [] }
  }
  if (stores.includes(mode) && names.length > 0) {
    makeDirectory(input.DATA_DIR)
    keep(file, kept)
  }
  return { values: valuesOf(kept, wanted), names: wanted }
}

const valuesOf = ({ BRIDGE_SECRET, AUTH_SECRET, DATA_KEYS }: StoredSecrets, wanted: readonly string[]) => ({
  ...(wanted.includes('BRIDGE_SECRET') && BRIDGE_SECRET !== undefined && { BRIDGE_SECRET }),
  ...(wanted.includes('AUTH_SECRET') && AUTH_SECRET !== undefined && { AUTH_SECRET }),
  ...(wanted.includes('DATA_KEYS') && DATA_KEYS !== undefined && { DATA_KEYS: [namedKey(DATA_KEYS)] }),
})

/** The new key gets a new id so that data encrypted with the lost key is not mistaken for forged data. */
const newDataKey = (mode: SecretsMode): string =>
  `${mode === 'replace' ? `${randomBytes(4).toString('hex')}:` : ''}${randomBytes(32).toString('base64url')}`

function namedKey(text: string): NamedValue {
  const [value = '', name = '1'] = text.split(':').toReversed()
  return { name, value }
}

function requirement(name: string, production: boolean): string {
  const why = production ? 'is required in production' : 'is required with DATABASE_URL, where several nodes share it'
  return name === 'DATA_KEYS'
    ? `${name} ${why}: use "1:" and the output of ${command}`
    : `${name} ${why}: use ${command}`
}

/** These secrets are not replaced silently, because the data they protect would become unreadable. */
const lostSecrets = (file: string, lost: readonly string[]): string =>
  `${file} does not contain ${lost.join(' and ')}, but the database in this directory was used with them. ${remedy}`

const remedy =
  'Restore the file from your backup, or set the previous values. If they are lost, ' +
  '"wardenry secrets replace" generates new ones and lists the consequences.'

function readStoredSecrets(file: string, problems: string[], mode: SecretsMode): StoredSecrets | undefined {
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof kept === 'object' && kept !== null) return kept
  } catch (error) {
    if (error instanceof Error && 'code' in error) {
      if (error.code === 'ENOENT') return {}
      if (error.code === 'ENOTDIR') {
        problems.push(`DATA_DIR must be a directory, but ${dirname(file)} or a part of its path is a file`)
        return undefined
      }
      problems.push(`${file} cannot be read (${error.code}): it contains the generated secrets`)
      return undefined
    }
  }
  if (mode === 'replace') {
    renameSync(file, `${file}.damaged`)
    return {}
  }
  problems.push(`${file} is damaged: it contains the generated secrets. ${remedy}`)
  return undefined
}

function keep(file: string, kept: StoredSecrets): void {
  const unfinished = `${file}.${process.pid}`
  const descriptor = openSync(unfinished, 'w', 0o600)
  writeSync(descriptor, `${JSON.stringify(kept, null, 2)}\n`)
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(unfinished, file)
  syncPath(dirname(file))
}
