import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

interface RequestOptions {
  challenge: string
  rpId: string
  allowCredentials?: { id: string }[]
}

/** Values that replace the correct ones to make the authenticator misbehave. */
export interface Ways {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  crossOrigin?: unknown
  userVerified?: boolean
  userPresent?: boolean
  /** Backup eligibility and backup state. */
  eligible?: boolean
  backedUp?: boolean
  signCount?: number
  userHandle?: string | null
  credentialId?: Buffer
  statement?: { format: string; parts: Map<string, unknown> }
}

interface Credential {
  id: Buffer
  key: KeyObject
  userHandle: string
}

export type Authenticator = ReturnType<typeof createAuthenticator>

/**
 * A software authenticator (WebAuthn level 3, 6): ES256, no attestation, user verified. A page at `home` uses the
 * authenticator, which counts its signatures.
 */
export function createAuthenticator(home: string) {
  const credentials: Credential[] = []
  let signatures = 0

  /** Works like navigator.credentials.create(). */
  function create({ challenge, rp, user }: CreationOptions, ways: Ways = {}) {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = ways.credentialId ?? randomBytes(32)
    credentials.push({ id, key: privateKey, userHandle: user.id })
    const attested = Buffer.concat([Buffer.alloc(16), twoBytes(id.length), id, coseKey(publicKey)])
    const { format = 'none', parts = new Map() } = ways.statement ?? {}
    const authData = authenticatorData(rp.id, ways, ways.signCount ?? 0, attested)
    return credential(id, {
      clientDataJSON: clientData(home, 'webauthn.create', challenge, ways),
      attestationObject: base64url(
        cbor(
          new Map<string, unknown>([
            ['fmt', format],
            ['attStmt', parts],
            ['authData', authData],
          ]),
        ),
      ),
      transports: ['internal'],
    })
  }

  /** Works like navigator.credentials.get(), with the newest allowed credential. */
  function get({ challenge, rpId, allowCredentials = [] }: RequestOptions, ways: Ways = {}) {
    const isAllowed = ({ id }: Credential) =>
      allowCredentials.length === 0 || allowCredentials.some((one) => one.id === base64url(id))
    const chosen = credentials.findLast(isAllowed)
    if (!chosen) throw new Error('the authenticator has no such credential')
    signatures++
    const data = authenticatorData(rpId, ways, ways.signCount ?? signatures)
    const clientDataJSON = clientData(home, 'webauthn.get', challenge, ways)
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return credential(ways.credentialId ?? chosen.id, {
      clientDataJSON,
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', signed, chosen.key)),
      userHandle: ways.userHandle === undefined ? chosen.userHandle : ways.userHandle,
    })
  }

  return { create, get, credentials }
}

const credential = <Response>(id: Buffer, response: Response) => ({
  id: base64url(id),
  rawId: base64url(id),
  type: 'public-key',
  authenticatorAttachment: 'platform',
  clientExtensionResults: {},
  response,
})

function clientData(home: string, type: string, challenge: string, ways: Ways): string {
  const said = {
    type: ways.type ?? type,
    challenge: ways.challenge ?? challenge,
    origin: ways.origin ?? home,
    crossOrigin: ways.crossOrigin ?? false,
  }
  return base64url(Buffer.from(JSON.stringify(said)))
}

function authenticatorData(rpId: string, ways: Ways, signCount: number, attested?: Buffer): Buffer {
  const { userPresent = true, userVerified = true, eligible = false, backedUp = false } = ways
  const backup = (eligible ? 8 : 0) | (backedUp ? 16 : 0)
  const flags = (userPresent ? 1 : 0) | (userVerified ? 4 : 0) | backup | (attested ? 64 : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(signCount)
  return Buffer.concat([
    sha256(Buffer.from(ways.rpId ?? rpId)),
    Buffer.from([flags]),
    count,
    ...(attested ? [attested] : []),
  ])
}

/** A P-256 key in COSE format (RFC 9052, 7; RFC 9053, 7.1.1). */
export function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const parts: [number, unknown][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]
  return cbor(new Map(parts))
}

/** Encodes the subset of CBOR (RFC 8949) that an attestation needs. */
export function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)])
  if (value instanceof Map) return Buffer.concat([head(5, value.size), ...[...value].flat().map(cbor)])
  throw new Error(`no CBOR for ${typeof value}`)
}

function head(type: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(type << 5) | size])
  return size < 256
    ? Buffer.from([(type << 5) | 24, size])
    : Buffer.concat([Buffer.from([(type << 5) | 25]), twoBytes(size)])
}

function twoBytes(number: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(number)
  return bytes
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest()
const base64url = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url')
