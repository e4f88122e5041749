import { isOrigin, SettingProblem } from '../../../config/kinds.ts'

/** A relying party id (WebAuthn level 3, 4): a domain, not an IP address. */
export const passkeyDomain = (value: string): string | undefined =>
  /^([a-z0-9-]{1,63}\.)*[a-z0-9-]{1,63}$/.test(value) && value.length <= 253 && !/^[\d.]+$/.test(value)
    ? undefined
    : 'must be a domain such as example.com'

export const passkeyPlace = (item: string): string | SettingProblem =>
  isOrigin(item) || /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/.test(item)
    ? item
    : new SettingProblem(`"${item}" is neither an origin nor an app such as android:apk-key-hash:…`)
