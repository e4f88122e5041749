import { isCheckedSecret, newCheckedSecret } from '../../lib/checked-secret.ts'

export type KeyKind = 'personal' | 'service'

const prefixes = { personal: 'wkp_', service: 'wks_' } as const

export const newKey = (kind: KeyKind): string => newCheckedSecret(prefixes[kind])

/** The first 12 and the last 4 characters. */
export const hintOf = (key: string): string => `${key.slice(0, 12)}…${key.slice(-4)}`

/** By form and checksum alone, so that a mistyped key costs no query. */
export const isKey = (text: string): boolean =>
  isCheckedSecret(prefixes.personal, text) || isCheckedSecret(prefixes.service, text)
