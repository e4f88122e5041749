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
  return text.endsWith(checksumOf(text.slice(0, -checksumLength)))
}

/** Runs for every request with such a secret, so it uses numbers, into which a CRC-32 fits. */
function checksumOf(text: string): string {
  let checksum = ''
  for (let left = crc32(text); checksum.length < checksumLength; left = Math.floor(left / 62))
    checksum = digits[left % 62] + checksum
  return checksum
}

function base62(number: bigint, length: number): string {
  let text = ''
  for (let left = number; left > 0n; left /= 62n) text = digits[Number(left % 62n)] + text
  return text.padStart(length, '0')
}
