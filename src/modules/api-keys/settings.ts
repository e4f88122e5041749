import {
  bool,
  type ChangeableIn,
  changeable,
  duration,
  integer,
  oneOf,
  requestLimit,
  type SettingValues,
} from '../../config/kinds.ts'

export const keySettings = {
  API_KEYS_ENABLED: changeable(bool(true, 'enable API keys; requires the api-keys module')),
  API_KEY_PERSONAL: changeable(bool(true, 'whether users can create and use keys of their own')),
  API_KEY_MAX_TTL: changeable(duration('365d', '1d', '3650d', 'longest time for which a new key is valid')),
  API_KEY_ALLOW_ENDLESS: changeable(bool(false, 'whether a key can be created without an end')),
  API_KEYS_PER_USER: changeable(integer(20, 1, 1000, 'maximum number of valid keys of one user')),
  API_KEY_OVERLAP: changeable(
    duration('24h', '0s', '7d', 'how long a replaced key still works unless the request specifies a time'),
  ),
  SERVICE_ACCOUNT_OWNER_RULE: changeable(
    oneOf(
      ['disable', 'keep'],
      'disable',
      'whether the keys of a service account stop working when all of its owners are blocked or deleted',
    ),
  ),
  RATE_LIMIT_API_KEY_WRITE: requestLimit('10/1h', 'changes of API keys per IP address, and per account'),
} as const

type KeySettings = SettingValues<typeof keySettings>

declare module '../../config/load.ts' {
  interface Config extends KeySettings {}
  interface ChangeableSettings extends ChangeableIn<typeof keySettings> {}
}
