import {
  bool,
  type ChangeableIn,
  changeable,
  duration,
  list,
  SettingProblem,
  type SettingValues,
  userTypeName,
} from '../../config/kinds.ts'

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
} as const

type TwoFactorSettings = SettingValues<typeof twoFactorSettings>

declare module '../../config/load.ts' {
  interface Config extends TwoFactorSettings {}
  interface ChangeableSettings extends ChangeableIn<typeof twoFactorSettings> {}
}
