import { randomBytes } from 'node:crypto'
import type { Config } from '../config/load.ts'
import { equalSecrets, keyedHash } from '../lib/hash.ts'

/** A token is valid for one purpose only. */
type Purpose = 'known-device' | 'confirmed-browser'

/** The token identifies a browser. It is random, dated, signed for a subject, and contains no personal data. */
export function issueBrowserToken(config: Config, purpose: Purpose, subject: string, now: number): string {
  const [device, issued] = [randomBytes(12).toString('base64url'), Math.floor(now / 1000).toString(36)]
  return [device, issued, signature(config, purpose, subject, device, issued)].join('.')
}

export function verifyBrowserToken(
  config: Config,
  purpose: Purpose,
  subject: string,
  { mark, now, lifetime }: { mark: string | undefined; now: number; lifetime: number },
): boolean {
  const [device = '', issued = '', mac = ''] = mark?.split('.') ?? []
  if (!mac || !equalSecrets(mac, signature(config, purpose, subject, device, issued))) return false
  return now - Number.parseInt(issued, 36) * 1000 < lifetime
}

const signature = (config: Config, purpose: Purpose, subject: string, device: string, issued: string): string =>
  keyedHash(config.AUTH_SECRET, purpose, `${subject}.${device}.${issued}`)
