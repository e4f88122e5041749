import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 43
const checksumLength = 6
const rest = new RegExp(`^[${digits}]{${randomLength + checksumLength}}$`)

/**
 * A prefix, 256 random bits and a checksum, by which scanners recognize leaked secrets. Without characters that need
 * escaping, and selected as a whole by a double click.
 */
export const newCheckedSecret = (prefix: string): string => checkedSecret(prefix, randomBytes(32))

export function checkedSecret(prefix: string, random: Buffer): string {
  const checked = prefix + base62(BigInt(`0x${random.toString('hex')}`), randomLength)
  return checked + checksumOf(checked)
}

export function isCheckedSecret(prefix: string, text: string): boolean {
  if (!text.startsWith(prefix) || !rest.test(text.slice(prefix.length))) return false
  return checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength)
}

const checksumOf = (text: string): string => base62(BigInt(crc32(text)), checksumLength)

function base62(number: bigint, length: number): string {
  let text = ''
  for (let left = number; left > 0n; left /= 62n) text = digits[Number(left % 62n)] + text
  return text.padStart(length, '0')
}
