import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { Context } from '../../src/context.ts'
import { exportUsers } from '../../src/import/export-users.ts'
import type { ImportRun } from '../../src/import/import-users.ts'
import { wardenry } from '../../src/import/sources/own-formats.ts'

export const phpHash = '$2y$10$pRa6R7WmJ866l/0n8vwQC.S5nKRuwC.Y9aH9wNeETnSXL8pkdzPNC'
/** `phpHash` is the hash of this password, made by PHP. */
export const phpPassword = 'nine harbour bells at dawn'

export async function fileWith(t: Pick<TestContext, 'after'>, content: string | Buffer, name = 'users.jsonl') {
  const directory = await mkdtemp(join(tmpdir(), 'wardenry-import-'))
  t.after(() => rm(directory, { recursive: true, force: true }))
  const path = join(directory, name)
  await writeFile(path, content)
  return path
}

export const linesOf = (records: readonly unknown[]): string =>
  records.map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`).join('')

export const importOf = (path: string, more: Partial<ImportRun> = {}): ImportRun => ({
  path,
  source: wardenry,
  options: {},
  roles: new Map(),
  allowSuperadmins: false,
  allowSensitiveRoles: false,
  passwordHook: false,
  invite: false,
  ...more,
})

export async function exported(ctx: Context, withHashes = true): Promise<string> {
  let text = ''
  await exportUsers(ctx, { withHashes }, async (lines) => {
    text += lines
  })
  return text
}

export const recordsOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

export const readRecords = async (path: string) => recordsOf(await readFile(path, 'utf8'))
