import {
  bool,
  type ChangeableIn,
  changeable,
  duration,
  list,
  optionalText,
  SettingProblem,
  type SettingValues,
  userTypeName,
} from '../../config/kinds.ts'
import { isOrigin } from '../../config/url-kinds.ts'

/** A relying party id must be a domain, not an IP address (WebAuthn level 3, section 4). */
const passkeyDomain = (value: string): string | undefined =>
  /^([a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}$/.test(value) && value.length <= 253 && !/^[\d.]+$/.test(value)
    ? undefined
    : 'must be a domain such as example.com'

const passkeyPlace = (item: string): string | SettingProblem =>
  isOrigin(item) || /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(item)
    ? item
    : new SettingProblem(`"${item}" is neither an origin nor an app such as android:apk-key-hash:…`)

const factors = ['email', 'sms', 'totp', 'passkey']
const factor = (item: string) =>
  factors.includes(item) ? item : new SettingProblem(`"${item}" is not one of ${factors.join(', ')}`)

export const twoFactorSettings = {
  TWO_FACTOR_ENABLED: changeable(bool(true, 'enable second factors; requires the two-factor module')),
  TWO_FACTOR_METHODS: changeable({
    ...list('second factors that users can set up; recovery codes are always available', factor),
    fallback: [...factors],
    shownDefault: factors.join(),
  }),

  TWO_FACTOR_REQUIRED_FOR: changeable(
    list(
      'user types that need a second factor for every sign-in; users without one receive a code by email',
      userTypeName,
    ),
  ),
  TWO_FACTOR_REMEMBER: changeable(
    duration(
      '0s',
      '0s',
      '90d',
      'how long a remembered browser can skip the second factor; 0s: browsers are not remembered',
    ),
  ),
  WEBAUTHN_RP_ID: optionalText('domain used as the passkey relying party id; changing it invalidates all passkeys', {
    check: passkeyDomain,
    shown: 'host of FRONTEND_URL',
  }),
  WEBAUTHN_ORIGINS: {
    ...list('origins of the pages and apps that can use passkeys', passkeyPlace, 'origins'),
    shownDefault: 'PUBLIC_URL and FRONTEND_URL',
  },
} as const

type TwoFactorSettings = SettingValues<typeof twoFactorSettings>

declare module '../../config/load.ts' {
  interface Config extends Omit<TwoFactorSettings, 'WEBAUTHN_RP_ID'> {
    readonly WEBAUTHN_RP_ID: string
  }
  interface ChangeableSettings extends ChangeableIn<typeof twoFactorSettings> {}
}
