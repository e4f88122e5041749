import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { operator } from '../../../admin/principal.ts'
import type { Context } from '../../../context.ts'
import { createFile } from '../../../lib/create-file.ts'
import { AppError } from '../../../lib/errors.ts'
import { looksLikeId } from '../../../lib/ids.ts'
import { parseDuration } from '../../../lib/time.ts'
import { listAccounts } from '../account-queries.ts'
import { findAnyKey, type KeyRow } from '../key-queries.ts'

export const principal = operator

export const newSecretArgs = {
  'secret-file': { type: 'string', description: 'new file for the key, which only you can read' },
  json: { type: 'boolean', description: 'print JSON' },
} as const

/** Rejections become sentences for the terminal. */
export async function explained<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const problems = error instanceof AppError ? (error.details ?? []) : []
    if (problems.length === 0) throw error
    throw new Error(problems.map(({ field, message }) => `${field} ${message}`).join('\n'))
  }
}

export async function accountNamed({ db, clock }: Context, named: string) {
  const accounts = await listAccounts(db, clock.date())
  const found = accounts.filter(({ id, name }) => id === named || name === named)
  const [one, ...others] = found
  if (!one)
    throw new Error(
      `There is no service account ${JSON.stringify(named)}: run "wardenry api-keys service-account-list"`,
    )
  if (others.length > 0) throw new Error(`Several service accounts have this name: pass the id of one`)
  return one
}

export async function keyNamed({ db }: Context, id: string): Promise<KeyRow> {
  const key = looksLikeId(id) ? await findAnyKey(db, id) : undefined
  if (!key) throw new Error(`There is no key with the id ${JSON.stringify(id)}: run "list"`)
  return key
}

export const itemsOf = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** `90d` means after 90 days. */
export function timeIn({ clock }: Context, text: string): string {
  const duration = parseDuration(text)
  return duration === undefined ? text : new Date(clock.now() + duration).toISOString()
}

interface Printed {
  id: string
  key: string
}

/** The file is created first, because the key could not be read again if that failed later. */
export async function printKey(
  { json, 'secret-file': file }: { json?: boolean | undefined; 'secret-file'?: string | undefined },
  create: () => Promise<Printed>,
  noun: 'key' | 'secret' = 'key',
): Promise<void> {
  if (file === undefined) {
    const made = await create()
    return void process.stdout.write(json ? `${JSON.stringify(made)}\n` : `${made.key}\n`)
  }
  const stream = await createFile(file)
  try {
    const { key, ...shown } = await create()
    stream.end(`${key}\n`)
    await once(stream, 'close')
    process.stdout.write(
      json ? `${JSON.stringify({ ...shown, secret_file: file })}\n` : `The ${noun} was written to ${file}.\n`,
    )
  } catch (error) {
    stream.destroy()
    await rm(file, { force: true })
    throw error
  }
}

export const printed = (value: unknown, json: boolean | undefined, sentence: string): void =>
  void process.stdout.write(json ? `${JSON.stringify(value)}\n` : `${sentence}\n`)
