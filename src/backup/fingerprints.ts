import { randomBytes } from 'node:crypto'
import type { NamedValue } from '../config/kinds.ts'
import type { Config } from '../config/load.ts'
import { equalSecrets, keyedHash } from '../lib/hash.ts'
import type { NamedFingerprint, SecretFingerprints } from './format.ts'

type Secrets = Pick<Config, 'AUTH_SECRET' | 'DATA_KEYS' | 'PEPPERS'>

export function fingerprintsOf({ AUTH_SECRET, DATA_KEYS, PEPPERS }: Secrets): SecretFingerprints {
  const salt = randomBytes(16).toString('base64url')
  const named = (values: readonly NamedValue[]): NamedFingerprint[] =>
    values.map(({ name, value }) => ({ name, fingerprint: fingerprint(value, salt) }))
  return { salt, AUTH_SECRET: fingerprint(AUTH_SECRET, salt), DATA_KEYS: named(DATA_KEYS), PEPPERS: named(PEPPERS) }
}

/**
 * Returns the secrets that the data requires but the settings do not contain. The settings may contain additional keys.
 */
export function missingSecrets(wanted: SecretFingerprints, { AUTH_SECRET, DATA_KEYS, PEPPERS }: Secrets): string[] {
  const missingOf = (setting: string, keys: readonly NamedFingerprint[], values: readonly NamedValue[]) =>
    keys
      .filter(({ name, fingerprint: expected }) => {
        const found = values.find((value) => value.name === name)
        return !found || !equalSecrets(fingerprint(found.value, wanted.salt), expected)
      })
      .map(({ name }) => `the key "${name}" of ${setting}`)
  return [
    ...(equalSecrets(fingerprint(AUTH_SECRET, wanted.salt), wanted.AUTH_SECRET) ? [] : ['AUTH_SECRET']),
    ...missingOf('DATA_KEYS', wanted.DATA_KEYS, DATA_KEYS),
    ...missingOf('PEPPERS', wanted.PEPPERS, PEPPERS),
  ]
}

const fingerprint = (secret: string, salt: string): string => keyedHash(secret, 'backup', salt).slice(0, 22)
