import { newCheckedSecret } from '../../../lib/checked-secret.ts'
import { invalidField } from '../../../lib/errors.ts'

export const newClientSecret = (): string => newCheckedSecret('wcs_')

/** The first 8 and the last 4 characters. Of a secret from elsewhere, which may be short, only the last 4. */
export const hintOfSecret = (secret: string): string =>
  `${secret.startsWith('wcs_') ? secret.slice(0, 8) : ''}…${secret.slice(-4)}`

/** A secret that an administrator brings along from another authorization server. */
export function assertSecretText(text: string): string {
  if (/^[\x21-\x7e]{24,256}$/.test(text) && new Set(text).size >= 8) return text
  throw invalidField('secret', 'must have 24 to 256 printable ASCII characters, at least 8 of them different')
}
