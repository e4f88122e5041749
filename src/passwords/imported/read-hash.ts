import { UnusableHash } from './limits.ts'

/** Converts a hash from another system to the form that `slow.ts` or `fast.ts` reads. */
export function canonicalHash(text: string): string {
  const given = text.trim()
  for (const [form, rewrite] of rewrites) {
    const parts = form.exec(given)
    if (parts) return rewrite(parts)
  }
  throw new UnusableHash('UNKNOWN_HASH')
}

const unpadded = (value: Buffer | string): string =>
  (typeof value === 'string' ? Buffer.from(value) : value).toString('base64').replace(/=+$/, '')
const withoutPadding = (base64: string): string => unpadded(Buffer.from(base64, 'base64'))

const asIs = ([text]: RegExpExecArray): string => text
/** In base64, passlib writes `.` instead of `+`. */
const passlib = (text: string): string => text.replaceAll('.', '+')

const rewrites: readonly [RegExp, (parts: RegExpExecArray) => string][] = [
  [/^(?:\$sha256|\$wp)?\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}$/, asIs],
  [/^\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+$/, asIs],
  [
    /^\$(?:firebase-)?scrypt\$ln=\d+,r=\d+,p=\d+\$[A-Za-z0-9+/]+\$[A-Za-z0-9+/]+={0,2}$/,
    ([text]) => text.replace(/=+$/, ''),
  ],
  [
    /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d+)(?:,l=\d+)?\$([A-Za-z0-9+/.]*)\$([A-Za-z0-9+/.]+)$/,
    ([, digest = 'sha1', iterations, salt = '', key = '']) =>
      `$pbkdf2-${digest}$i=${iterations}$${passlib(salt)}$${passlib(key)}`,
  ],
  [
    /^pbkdf2_(sha1|sha256)\$(\d+)\$([^$]+)\$([A-Za-z0-9+/]+=*)$/,
    ([, digest, iterations, salt = '', key = '']) =>
      `$pbkdf2-${digest}$i=${iterations}$${unpadded(salt)}$${withoutPadding(key)}`,
  ],
  [/^argon2(\$argon2.*)$/, ([, rest = '']) => canonicalHash(rest)],
  [/^bcrypt\$(\$2[aby]\$.*)$/, ([, rest = '']) => canonicalHash(rest)],
  [/^bcrypt_sha256\$(\$2[aby]\$.*)$/, ([, rest = '']) => canonicalHash(`$sha256${rest}`)],
  [
    /^scrypt\$([^$]+)\$(\d+)\$(\d+)\$(\d+)\$([A-Za-z0-9+/]+=*)$/,
    ([, salt = '', n, r, p, key = '']) =>
      `$scrypt$ln=${Math.log2(Number(n))},r=${r},p=${p}$${unpadded(salt)}$${withoutPadding(key)}`,
  ],
  // Supabase
  [
    /^\$fbscrypt\$v=1,n=(\d+),r=(\d+),p=1(?:,ss=([^,$]+))?,sk=([^,$]+)\$([^$]+)\$([^$]+)$/,
    ([, memCost, rounds, saltSeparator = '', signerKey = '', salt = '', hash = '']) =>
      firebaseHash({ hash, salt, signerKey, saltSeparator, rounds: Number(rounds), memCost: Number(memCost) }),
  ],
  // Better Auth uses the hexadecimal representation of the salt as the salt.
  [
    /^([0-9a-f]{32}):([0-9a-f]{128})$/,
    ([, salt = '', key = '']) => `$scrypt$ln=14,r=16,p=1$${unpadded(salt)}$${unpadded(Buffer.from(key, 'hex'))}`,
  ],
  [/^\$[PH]\$[./0-9A-Za-z]{31}$/, asIs],
  [
    /^(sha1|md5)\$([^$]*)\$([0-9a-f]{32,40})$/,
    ([, kind, salt = '', digest]) => `$${kind}$before$${unpadded(salt)}$${digest}`,
  ],
  [/^[0-9a-f]{32}$/, ([digest]) => `$md5$before$$${digest}`],
  [/^\{SSHA(|256|512)\}([A-Za-z0-9+/]+=*)$/, ([, size = '', body = '']) => ldap(size, Buffer.from(body, 'base64'))],
  [/^[A-Za-z0-9+/]{40,}={0,2}$/, ([body]) => aspNet(Buffer.from(body, 'base64'))],
]

function ldap(size: string, body: Buffer): string {
  const length = size === '' ? 20 : Number(size) / 8
  if (body.length <= length) throw new UnusableHash('UNKNOWN_HASH')
  const digest = body.subarray(0, length).toString('hex')
  return `$sha${size || '1'}$after$${unpadded(body.subarray(length))}$${digest}`
}

/** In ASP.NET Core Identity, version 2 hashes have fixed parameters, and version 3 hashes contain theirs. */
function aspNet(body: Buffer): string {
  if (body[0] === 0 && body.length === 49)
    return `$pbkdf2-sha1$i=1000$${unpadded(body.subarray(1, 17))}$${unpadded(body.subarray(17))}`
  const digest = body.length > 13 && body[0] === 1 ? ['sha1', 'sha256', 'sha512'][body.readUInt32BE(1)] : undefined
  const saltLength = digest ? body.readUInt32BE(9) : 0
  if (!digest || saltLength > 128 || body.length < 13 + saltLength + 16) throw new UnusableHash('UNKNOWN_HASH')
  const [salt, key] = [body.subarray(13, 13 + saltLength), body.subarray(13 + saltLength)]
  return `$pbkdf2-${digest}$i=${body.readUInt32BE(5)}$${unpadded(salt)}$${unpadded(key)}`
}

interface Firebase {
  hash: string
  salt: string
  signerKey: string
  saltSeparator: string
  rounds: number
  memCost: number
}

/** The signer key is not stored. The hash is the signer key encrypted with a keystream derived from the password. */
export function firebaseHash({ hash, salt, signerKey, saltSeparator, rounds, memCost }: Firebase): string {
  const [encrypted, key] = [Buffer.from(hash, 'base64'), Buffer.from(signerKey, 'base64')]
  if (encrypted.length !== key.length || key.length < 16) throw new UnusableHash('UNKNOWN_HASH')
  const keystream = Buffer.from(encrypted.map((byte, index) => byte ^ (key[index] ?? 0)))
  const salted = Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from(saltSeparator, 'base64')])
  return `$firebase-scrypt$ln=${memCost},r=${rounds},p=1$${unpadded(salted)}$${unpadded(keystream)}`
}

interface Keycloak {
  algorithm: string
  value: string
  salt: string
  iterations: number
  parameters: Readonly<Record<string, readonly string[]>>
}

export function keycloakHash({ algorithm, value, salt, iterations, parameters }: Keycloak): string {
  const one = (name: string) => parameters[name]?.[0] ?? ''
  if (algorithm === 'argon2') {
    const version = one('version') === '1.0' ? 16 : 19
    const cost = `m=${one('memory')},t=${iterations},p=${one('parallelism')}`
    return canonicalHash(`$argon2${one('type')}$v=${version}$${cost}$${withoutPadding(salt)}$${withoutPadding(value)}`)
  }
  const digest = { pbkdf2: 'sha1', 'pbkdf2-sha256': 'sha256', 'pbkdf2-sha512': 'sha512' }[algorithm]
  if (!digest) throw new UnusableHash('UNKNOWN_HASH')
  return canonicalHash(`$pbkdf2-${digest}$i=${iterations}$${withoutPadding(salt)}$${withoutPadding(value)}`)
}
