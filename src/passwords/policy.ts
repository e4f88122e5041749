import type { Config } from '../config/load.ts'
import { maxPasswordLength, minPasswordLength, passwordRules } from '../config/password-rules.ts'
import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { commonPasswords } from './blocklist.ts'
import { isBreached } from './breach-check.ts'

interface Owner {
  email: string
  user_name?: string | undefined
}

const maxLength = { characters: maxPasswordLength, bytes: 1024 }

/** Normalizes to NFC, and neither trims nor folds case. */
export const normalPassword = (password: string): string => password.normalize('NFC')

/** Passwords that are too long are refused before they are hashed. */
export const isOverlong = (password: string): boolean =>
  [...password].length > maxLength.characters || Buffer.byteLength(password) > maxLength.bytes

/** Throws WEAK_PASSWORD with the broken rule. There are no composition rules (NIST SP 800-63B, 5.1.1.2). */
export async function assertGoodPassword(ctx: Context, field: string, password: string, owner: Owner): Promise<void> {
  const broken = await brokenRule(ctx.config, password, owner)
  if (broken) throw weakPassword(field, broken)
  if (await isBreached(ctx, password)) throw weakPassword(field, passwordRules.breached)
}

export const weakPassword = (field: string, broken: string): AppError =>
  new AppError('WEAK_PASSWORD', { sentence: `Password ${broken}`, details: [{ field, message: broken }] })

/** The broken rule, phrased as the end of a sentence. Does not call the breach check. */
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

/** Removes the padding of a password: `  Password123!!` becomes `password`. */
const core = (text: string): string => text.toLowerCase().replace(/^[\s\d\W_]+|[\s\d\W_]+$/gu, '') || text.toLowerCase()
