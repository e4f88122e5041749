import { hash } from 'node:crypto'
import { within } from '../adapters/within.ts'
import { recordAudit } from '../audit/record.ts'
import type { Config } from '../config/load.ts'
import { maxPasswordLength, minPasswordLength, passwordRules } from '../config/password-rules.ts'
import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { isInHashList } from '../lib/hash-list.ts'
import { second } from '../lib/time.ts'
import { assertPasswordsEnabled } from '../users/passwords-enabled.ts'

interface Owner {
  email: string
  user_name?: string
}

const maxLength = { characters: maxPasswordLength, bytes: 1024 }

/** Normalizes the password to NFC but neither trims it nor folds its case. */
export const normalPassword = (password: string): string => password.normalize('NFC')

/** Passwords that are too long are rejected before hashing. */
export const isOverlong = (password: string): boolean =>
  [...password].length > maxLength.characters || Buffer.byteLength(password) > maxLength.bytes

/** Throws WEAK_PASSWORD with the broken rule. There are no composition rules (NIST SP 800-63B, 5.1.1.2). */
export async function assertGoodPassword(ctx: Context, field: string, password: string, owner: Owner): Promise<void> {
  assertPasswordsEnabled(ctx)
  const broken = await brokenRule(ctx.config, password, owner)
  if (broken) throw weakPassword(field, broken)
  if (await isBreached(ctx, password)) throw weakPassword(field, passwordRules.breached)
}

export const weakPassword = (field: string, broken: string): AppError =>
  new AppError('WEAK_PASSWORD', { sentence: `Password ${broken}`, details: [{ field, message: broken }] })

/** Returns the broken rule, phrased as the end of a sentence. Does not include the breach check. */
export async function brokenRule(config: Config, password: string, owner: Owner): Promise<string | undefined> {
  const minLength = minPasswordLength(config)
  if ([...password].length < minLength) return passwordRules.short(minLength)
  if (isOverlong(password)) return passwordRules.long
  if (!password.isWellFormed()) return passwordRules.unicode
  if (/^\s+$/u.test(password)) return passwordRules.spaces
  const plain = core(password)
  if (contextWords(config, owner).some((word) => plain === core(word))) return passwordRules.context
  const common = await commonPasswords()
  if (common.has(password.toLowerCase()) || common.has(plain)) return passwordRules.common
  return undefined
}

const contextWords = (config: Config, { email, user_name }: Owner): string[] =>
  [email, email.split('@')[0], user_name, config.APP_NAME, 'wardenry', new URL(config.PUBLIC_URL).hostname].filter(
    (word) => word !== undefined && word !== '',
  ) as string[]

/** Lowercases a password and trims digits, symbols and spaces: `  Password123!!` becomes `password`. */
const core = (text: string): string => text.toLowerCase().replace(/^[\s\d\W_]+|[\s\d\W_]+$/gu, '') || text.toLowerCase()

let commonList: Promise<ReadonlySet<string>> | undefined

/** The list is loaded when the first password is set. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  commonList ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const source: unknown = dictionary
    const { 'passwords-common': common } = source as Record<string, string[]>
    if (!common || common.length < 10_000)
      throw new Error('the list of common passwords is missing from @zxcvbn-ts/language-common')
    return new Set(common)
  })
  return commonList
}

const limits = { responseMs: second, bytes: 1024 * 1024 }

/** The range API receives the first 5 of the 40 SHA-1 digits. If the API fails, users can still set passwords. */
async function isBreached(ctx: Context, password: string): Promise<boolean> {
  const { PASSWORD_BREACH_CHECK, PASSWORD_BREACH_URL, PASSWORD_BREACH_LIST } = ctx.config
  if (!PASSWORD_BREACH_CHECK) return false
  const digits = hash('sha1', password, 'hex').toUpperCase()
  try {
    if (PASSWORD_BREACH_LIST) return await within(limits.responseMs, isInHashList(PASSWORD_BREACH_LIST, digits))
    return holds(await fetchRange(PASSWORD_BREACH_URL, digits.slice(0, 5)), digits.slice(5))
  } catch (error) {
    const reason = error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unusable response'
    ctx.log.warn({ reason }, 'could not compare a new password with known breaches')
    const details = { name: 'breached_passwords', reason }
    await recordAudit(ctx, { event: 'dependency_down', outcome: 'failure', details })
    return false
  }
}

async function fetchRange(url: string, prefix: string): Promise<string> {
  const reply = await fetch(`${url.replace(/\/$/, '')}/${prefix}`, {
    // Padding prevents observers from inferring the requested range from the response length.
    headers: { 'add-padding': 'true', accept: 'text/plain' },
    redirect: 'error',
    signal: AbortSignal.timeout(limits.responseMs),
  })
  if (reply.status !== 200 || !reply.body) {
    await reply.body?.cancel()
    throw new Error(`the range API returned ${reply.status}`)
  }
  return readText(reply.body)
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limits.bytes) throw new Error('the response of the range API is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('latin1')
}

/** Lines have the form `<suffix>:<count>`. Padding lines have a count of zero. */
const holds = (range: string, suffix: string): boolean =>
  range.split('\n').some((line) => {
    const [digits, count] = line.trim().split(':')
    return digits?.toUpperCase() === suffix && Number(count) > 0
  })
