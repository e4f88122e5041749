import { hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { assertAffordable, limits, UnusableHash } from './limits.ts'
import { slashed } from './slashed.ts'

/** A hash from a fast function. Only its recipe and an Argon2id hash of its digest are stored. */
export interface FastHash {
  recipe: string
  digest: string
}

/** Returns undefined if the text is not a hash from a fast function. */
export function readFastHash(text: string): FastHash | undefined {
  if (text.length > limits.textLength) return undefined
  const [, phpass, digest = ''] = /^(\$[PH]\$[./0-9A-Za-z]{9})([./0-9A-Za-z]{22})$/.exec(text) ?? []
  if (phpass) {
    assertAffordable(phpassLog2(phpass) >= 7 && phpassLog2(phpass) <= limits.phpassLog2)
    return { recipe: `phpass:${phpass}`, digest }
  }
  // The salt comes before the password (Django) or after it (LDAP).
  const [, kind, place, given = '', hex = ''] =
    /^\$(md5|sha1|sha256|sha512)\$(before|after)\$([A-Za-z0-9+/]*)\$([0-9a-f]{32,128})$/.exec(text) ?? []
  if (kind && hex.length === hash(kind, '').length) return { recipe: `${kind}:${place}:${given}`, digest: hex }
  return undefined
}

export async function computeFastDigest(recipe: string, password: string): Promise<string> {
  const [kind = '', first = '', second = ''] = recipe.split(':')
  if (kind === 'phpass') return phpassDigest(first, password)
  if (!/^(md5|sha1|sha256|sha512)$/.test(kind)) throw new UnusableHash('UNKNOWN_HASH')
  const salt = Buffer.from(second, 'base64')
  const text = Buffer.from(password)
  return hash(kind, Buffer.concat(first === 'before' ? [salt, text] : [text, salt]), 'hex')
}

const alphabet = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const phpassLog2 = (setting: string): number => alphabet.indexOf(setting[3] ?? '')

/** The number of rounds between two yields to the event loop. `node:crypto` has no asynchronous MD5. */
const phpassChunk = 512

async function phpassDigest(setting: string, password: string): Promise<string> {
  assertAffordable(phpassLog2(setting) <= limits.phpassLog2)
  // WordPress writes `$P$`, phpBB writes `$H$`.
  const text = Buffer.from(setting[1] === 'P' ? slashed(password) : password)
  let value = hash('md5', Buffer.concat([Buffer.from(setting.slice(4, 12)), text]), 'buffer')
  for (let round = 1; round <= 2 ** phpassLog2(setting); round++) {
    value = hash('md5', Buffer.concat([value, text]), 'buffer')
    if (round % phpassChunk === 0) await setImmediate()
  }
  return encode(value)
}

/** Encodes three bytes as four characters, least significant bits first. */
function encode(value: Buffer): string {
  let text = ''
  for (let start = 0; start < value.length; start += 3) {
    const group = value.subarray(start, start + 3)
    const bits = group.reduce((sum, byte, index) => sum | (byte << (8 * index)), 0)
    for (let index = 0; index <= group.length; index++) text += alphabet[(bits >> (6 * index)) & 63]
  }
  return text
}
