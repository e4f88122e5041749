import { isOrigin } from '../../lib/return-address.ts'
import { bool, changeable, list, oneOf, optionalText, SettingProblem, userTypeName } from '../kinds.ts'

/** A relying party id must be a domain, not an IP address (WebAuthn level 3, section 4). */
const passkeyDomain = (value: string): string | undefined =>
  /^([a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}$/.test(value) && value.length <= 253 && !/^[\d.]+$/.test(value)
    ? undefined
    : 'must be a domain such as example.com'

const passkeyOrigin = (item: string): string | SettingProblem =>
  isOrigin(item) || /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(item)
    ? item
    : new SettingProblem(`"${item}" is neither an origin nor an app such as android:apk-key-hash:…`)

const relatedOrigin = (item: string): string | SettingProblem =>
  isOrigin(item) && item.startsWith('https:')
    ? item
    : new SettingProblem(`"${item}" is not an https origin such as https://example.org`)

const androidApp = (item: string): string | SettingProblem => {
  const [name = '', fingerprint = ''] = item.split('=', 2)
  const isApp = /^[A-Za-z]\w*(\.[A-Za-z]\w*)+$/.test(name) && /^([\dA-F]{2}:){31}[\dA-F]{2}$/i.test(fingerprint)
  return isApp && item.length <= 300
    ? `${name}=${fingerprint.toUpperCase()}`
    : new SettingProblem(`"${item}" is not an app with the SHA-256 fingerprint of its key: com.example.app=AB:CD:…`)
}

const appleApp = (item: string): string | SettingProblem =>
  /^[A-Z\d]{10}\.[A-Za-z\d.-]{1,155}$/.test(item)
    ? item
    : new SettingProblem(`"${item}" is not a team id with a bundle id, such as ABCDE12345.com.example.app`)

export const passkeySettings = {
  PASSKEYS_ENABLED: changeable(
    bool(true, 'allow users to add passkeys and to sign in with them; false keeps existing passkeys as second factors'),
  ),
  PASSKEY_AUTOFILL: changeable(
    bool(true, 'offer passkeys in the field for the email address of the sign-in page, if the browser supports it'),
  ),
  PASSKEY_REQUIRED_FOR: changeable(
    list(
      'user types that must sign in with a passkey; after another sign-in, users without a passkey can only add one, and others are rejected',
      userTypeName,
    ),
  ),
  PASSKEY_UPGRADE: changeable(
    oneOf(
      ['offer', 'silent', 'off'],
      'offer',
      'after a sign-in with a password: offer to create a passkey at most every 30 days, or let the browser create one without asking if it can (silent)',
    ),
  ),
  WEBAUTHN_RP_ID: optionalText('domain used as the passkey relying party id; changing it invalidates all passkeys', {
    check: passkeyDomain,
    shown: 'host of PUBLIC_URL',
  }),
  WEBAUTHN_ORIGINS: {
    ...list('origins of the pages and apps that can use passkeys', passkeyOrigin, 'origins'),
    shownDefault: 'PUBLIC_URL and FRONTEND_URL',
  },
  PASSKEY_RELATED_ORIGINS: list(
    'HTTPS origins on other domains whose pages can use the same passkeys; they can have at most 5 different names before the public suffix',
    relatedOrigin,
    'origins',
  ),
  PASSKEY_ANDROID_APPS: list(
    'Android apps that can use passkeys, each with the SHA-256 fingerprint of its signing key, such as `com.example.app=AB:CD:…`; repeat the app for each of its keys',
    androidApp,
  ),
  PASSKEY_APPLE_APPS: list(
    'Apple apps that can use passkeys, as team id and bundle id, such as `ABCDE12345.com.example.app`',
    appleApp,
  ),
} as const
