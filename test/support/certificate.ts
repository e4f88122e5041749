import { generateKeyPairSync, sign } from 'node:crypto'

/**
 * A key and a self-signed certificate for localhost, valid for a day. The certificate is encoded here because Node.js
 * has no function that creates certificates.
 */
export function selfSigned(): { key: string; certificate: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const name = der(0x30, der(0x31, der(0x30, commonName, der(0x0c, Buffer.from('localhost')))))
  const day = 24 * 3600 * 1000
  const content = der(
    0x30,
    der(0x02, Buffer.of(1)),
    ecdsaWithSha256,
    name,
    der(0x30, ...[Date.now() - day, Date.now() + day].map((time) => der(0x17, Buffer.from(utcTime(time))))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', content, privateKey))
  const base64 = der(0x30, content, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}

/** A DER element: tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.of(tag, ...size), content])
}

const commonName = der(0x06, Buffer.from('550403', 'hex'))
const ecdsaWithSha256 = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex')))

const utcTime = (time: number): string =>
  `${new Date(time)
    .toISOString()
    .replace(/\.\d+|[-:T]/g, '')
    .slice(2)}`
