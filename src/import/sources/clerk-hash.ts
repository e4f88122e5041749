import { firebaseHash } from '../../passwords/imported/read-hash.ts'
import { type Row, textMember } from './read-row.ts'

type Encoding = 'utf8' | 'hex' | 'base64'

const forms: Readonly<Record<Encoding, RegExp>> = {
  utf8: /^[^$]+$/,
  hex: /^(?:[0-9a-f]{2})+$/i,
  base64: /^[A-Za-z0-9+/]+={0,2}$/,
}

const asIs = (digest: string): string => digest

function pbkdf2(digest: string, saltEncodings: readonly Encoding[], keyEncoding: Encoding) {
  return (text: string): string | undefined => {
    const [, iterations = '', salt = '', key = ''] = text.split('$')
    const saltEncoding = saltEncodings.find((encoding) => forms[encoding].test(salt))
    if (!saltEncoding || !forms[keyEncoding].test(key)) return undefined
    const [saltText, keyText] = [unpadded(salt, saltEncoding), unpadded(key, keyEncoding)]
    return `$pbkdf2-${digest}$i=${iterations}$${saltText}$${keyText}`
  }
}

const unpadded = (text: string, encoding: Encoding): string =>
  Buffer.from(text, encoding).toString('base64').replace(/=+$/, '')

function firebase(text: string): string | undefined {
  const [hash = '', salt = '', signerKey = '', saltSeparator = '', rounds, memCost] = text.split('$')
  try {
    return firebaseHash({ hash, salt, signerKey, saltSeparator, rounds: Number(rounds), memCost: Number(memCost) })
  } catch {
    return undefined
  }
}

/** Clerk stores a digest as it was imported. Digests of different hashers can look alike. */
const hashers: Readonly<Record<string, (digest: string) => string | undefined>> = {
  argon2i: asIs,
  argon2id: asIs,
  bcrypt: asIs,
  bcrypt_sha256_django: asIs,
  ldap_ssha: asIs,
  md5: asIs,
  phpass: asIs,
  pbkdf2_sha256_django: asIs,
  pbkdf2_sha1: pbkdf2('sha1', ['hex', 'utf8'], 'hex'),
  pbkdf2_sha256: pbkdf2('sha256', ['base64'], 'base64'),
  pbkdf2_sha512: pbkdf2('sha512', ['utf8'], 'hex'),
  pbkdf2_sha512_hex: pbkdf2('sha512', ['hex'], 'hex'),
  scrypt_firebase: firebase,
}

/** Older files have no column for the hasher, because every digest was from bcrypt. */
export function clerkHash(row: Row): string | undefined {
  const [digest, hasher] = [textMember(row, 'password_digest'), textMember(row, 'password_hasher')]
  if (!digest || !hasher) return digest
  return Object.hasOwn(hashers, hasher) ? hashers[hasher]?.(digest) : undefined
}
