import { decodeKey } from '../decode-key.ts'
import { bool, list, namedValue, optionalText, SettingProblem } from '../kinds.ts'
import { origins } from '../url-kinds.ts'

// Non-ASCII characters are not portable in HTTP header values. Leading and trailing spaces would be lost.
const bridgeSecret = (value: string) =>
  /^[\x21-\x7e]{32,500}$/.test(value) ? undefined : 'must be 32 to 500 ASCII characters without spaces, in every value'

const declaringRight = (item: string) =>
  /^[A-Za-z0-9_-]{1,32}:[a-z0-9][a-z0-9_-]{0,99}$/.test(item)
    ? item
    : new SettingProblem('must be written as secret:application,secret:application')

const keyOf32Bytes = (value: string) =>
  decodeKey(value) ? undefined : 'needs 32 bytes in every value, in base64url, base64 or 64 hex digits'

export const backEndSettings = {
  BRIDGE_SECRET: optionalText('secret that your back ends send in the X-Bridge-Secret header', {
    secret: true,
    min: 32,
    check: bridgeSecret,
    aliases: ['BRIDGE_VALIDATION_SECRET'],
    shown: 'development: generated into DATA_DIR',
  }),
  BRIDGE_SECRETS: namedValue('named bridge secrets, in addition to BRIDGE_SECRET', bridgeSecret),
  BRIDGE_RIGHTS: list(
    'applications whose permissions these secrets may declare, as the name of a secret in BRIDGE_SECRETS (`default`: BRIDGE_SECRET), a colon and the key of an application',
    declaringRight,
    'secret:application list',
  ),
  BRIDGE_ALLOWED_ORIGINS: origins('origins of pages that are allowed to send the bridge secret from a browser'),
  DATA_KEYS: namedValue(
    'keys for encrypting data at rest; the first key encrypts, and all keys can decrypt',
    keyOf32Bytes,
  ),
  AUTH_SECRET: optionalText('key for keyed hashes (typed codes, rate-limit keys) and for signing cookies and forms', {
    secret: true,
    min: 32,
    shown: 'development on the embedded database: generated',
  }),
  PEPPERS: namedValue(
    'secret keys applied to passwords before they are hashed; new hashes use the first key',
    keyOf32Bytes,
  ),
  EVENT_ALLOW_PRIVATE_HOSTS: bool(
    false,
    'allow webhooks and tests of applications to use plain HTTP, and loopback, private or link-local addresses',
  ),
} as const
