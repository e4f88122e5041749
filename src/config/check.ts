import { isLoopbackUrl } from '../lib/address.ts'
import { canonicalLanguage, isCountry } from '../lib/locale.ts'
import { cookieDomainProblems } from './cookie-domain.ts'
import type { Config } from './load.ts'
import { passkeyProblems } from './passkeys.ts'
import { moduleSettings } from './settings.ts'

interface CheckedSettings {
  readonly PUBLIC_URL: string | undefined
  readonly FRONTEND_URL: string | undefined
}

/** Matches values from samples and tutorials, which are rejected as secrets. */
const sample = /change.?me|example|placeholder|your[-_ ]|secret[-_]?secret|^(.)\1+$|12345678|password/i

type InputSettings = CheckedSettings & Partial<Record<keyof Config, unknown>>

/** `input` contains the values before derived values are added. */
export const combinationProblems = (config: Config, input: InputSettings) => [
  ...coreProblems(config, input),
  ...moduleSettings.flatMap(({ check }) => check?.(config, input) ?? []).filter((one) => typeof one === 'string'),
]

function coreProblems(config: Config, input: InputSettings): string[] {
  const always = [
    config.WORKERS > 1 &&
      config.DATABASE_URL === undefined &&
      'WORKERS must be 1 without DATABASE_URL: only one process can use the embedded database',
    config.SESSION_ABSOLUTE_TTL < config.SESSION_IDLE_TTL &&
      'SESSION_ABSOLUTE_TTL must not be shorter than SESSION_IDLE_TTL',
    config.ADMIN_SESSION_ABSOLUTE_TTL < config.ADMIN_SESSION_IDLE_TTL &&
      'ADMIN_SESSION_ABSOLUTE_TTL must not be shorter than ADMIN_SESSION_IDLE_TTL',
    Boolean(config.ADMIN_EMAIL) !== Boolean(config.ADMIN_PASSWORD) &&
      'ADMIN_EMAIL and ADMIN_PASSWORD go together: set both or none',
    bridgeSecretsOf(config).some(({ value }) => value === config.AUTH_SECRET) &&
      'AUTH_SECRET must not be a bridge secret: anyone who has one could sign in as any user',
    ...config.BRIDGE_RIGHTS.filter((right) => !secretNamesOf(config).includes(right.split(':')[0] ?? '')).map(
      (right) => `BRIDGE_RIGHTS contains ${right}, but no bridge secret has this name`,
    ),
    !config.PASSWORDS_ENABLED &&
      config.CLIENT_COMPAT &&
      'PASSWORDS_ENABLED=false cannot be combined with CLIENT_COMPAT=true: older clients sign in with passwords',
    ...hookProblems(config, 'PASSWORD', 'passwords'),
    ...hookProblems(config, 'REGISTRATION', 'personal data'),
    Boolean(config.SMS_WEBHOOK_URL) !== Boolean(config.SMS_WEBHOOK_SECRET) &&
      'SMS_WEBHOOK_URL and SMS_WEBHOOK_SECRET go together: set both or none',
    new Set([config.TWILIO_ACCOUNT_SID, config.TWILIO_AUTH_TOKEN, config.TWILIO_FROM].map(Boolean)).size > 1 &&
      'TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM go together: set all or none',
    config.SMS_WEBHOOK_URL &&
      config.TWILIO_ACCOUNT_SID &&
      'SMS_WEBHOOK_URL and TWILIO_ACCOUNT_SID cannot be combined: set one of them',
    ...socialProblems(config),
    config.TOKEN_LOGIN_AUTO_REGISTER &&
      config.REGISTRATION_REQUIRES_BRIDGE &&
      !config.TOKEN_LOGIN_REQUIRES_BRIDGE &&
      'TOKEN_LOGIN_AUTO_REGISTER with REGISTRATION_REQUIRES_BRIDGE requires TOKEN_LOGIN_REQUIRES_BRIDGE: otherwise anyone can register with a link',
    config.PASSWORD_BREACH_LIST &&
      !config.PASSWORD_BREACH_CHECK &&
      'PASSWORD_BREACH_LIST is used only with PASSWORD_BREACH_CHECK=true',
    config.PASSWORD_BREACH_URL.startsWith('http:') &&
      !isLoopbackUrl(new URL(config.PASSWORD_BREACH_URL)) &&
      'PASSWORD_BREACH_URL must be https; http is for loopback addresses',
    config.DEFAULT_PHONE_REGION &&
      !isCountry(config.DEFAULT_PHONE_REGION) &&
      'DEFAULT_PHONE_REGION must be a country such as DE',
    !canonicalLanguage(config.DEFAULT_LANG) && 'DEFAULT_LANG must be a language tag such as en',
    /^(__Host-)?(kd|cb|lang)$/.test(config.SESSION_COOKIE_NAME) &&
      'SESSION_COOKIE_NAME must not be kd, cb or lang: these names are used for known devices, confirmed browsers and languages',
    !/^[A-Za-z0-9_-]+$/.test(config.SESSION_COOKIE_NAME) && 'SESSION_COOKIE_NAME must be letters, digits, _ and -',
    config.SESSION_COOKIE_NAME.startsWith('__') &&
      !config.PUBLIC_URL.startsWith('https:') &&
      'SESSION_COOKIE_NAME with a __Host- or __Secure- prefix requires an https PUBLIC_URL',
    config.COOKIE_SAMESITE === 'none' &&
      !config.PUBLIC_URL.startsWith('https:') &&
      'COOKIE_SAMESITE=none requires an https PUBLIC_URL: otherwise browsers refuse the cookie',
  ]
  return [
    ...always,
    ...cookieDomainProblems(config),
    ...passkeyProblems(config, input),
    ...(config.isProduction ? productionProblems(config, input) : []),
  ].filter((one) => typeof one === 'string')
}

const hookProblems = (config: Config, hook: 'PASSWORD' | 'REGISTRATION', content: string) => {
  const url = config[`${hook}_HOOK_URL`]
  return [
    Boolean(url) !== Boolean(config[`${hook}_HOOK_SECRET`]) &&
      `${hook}_HOOK_URL and ${hook}_HOOK_SECRET go together: set both or none`,
    url?.startsWith('http:') &&
      !isLoopbackUrl(new URL(url)) &&
      `${hook}_HOOK_URL must be https, because it receives ${content}; http is for loopback addresses`,
  ]
}

const withSecret = ['GOOGLE', 'GITHUB', 'FACEBOOK', 'DISCORD', 'MICROSOFT', 'OIDC'] as const

function socialProblems(config: Config) {
  const { APPLE_CLIENT_ID, APPLE_CLIENT_SECRET, APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY } = config
  const signing = [APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY].filter(Boolean).length
  const isOffered = [...withSecret, 'APPLE' as const].some((name) => config[`${name}_CLIENT_ID`])
  return [
    isOffered &&
      config.REGISTRATION_REQUIRES_BRIDGE &&
      config.SOCIAL_LOGIN &&
      config.SOCIAL_AUTO_REGISTER &&
      'REGISTRATION_REQUIRES_BRIDGE with a provider requires SOCIAL_AUTO_REGISTER=false: otherwise anyone can register through the provider',
    ...withSecret.map(
      (name) =>
        Boolean(config[`${name}_CLIENT_ID`]) !== Boolean(config[`${name}_CLIENT_SECRET`]) &&
        `${name}_CLIENT_ID and ${name}_CLIENT_SECRET go together: set both or none`,
    ),
    signing % 3 > 0 && 'APPLE_TEAM_ID, APPLE_KEY_ID and APPLE_PRIVATE_KEY go together: set all or none',
    signing === 3 &&
      APPLE_CLIENT_SECRET &&
      'APPLE_CLIENT_SECRET and APPLE_PRIVATE_KEY cannot be combined: set one of them',
    Boolean(APPLE_CLIENT_ID) !== (signing === 3 || Boolean(APPLE_CLIENT_SECRET)) &&
      'APPLE_CLIENT_ID requires APPLE_PRIVATE_KEY or APPLE_CLIENT_SECRET, and the reverse',
    Boolean(config.OIDC_ISSUER) !== Boolean(config.OIDC_CLIENT_ID) &&
      'OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together: set all or none',
    !/^[A-Za-z0-9.-]{1,100}$/.test(config.MICROSOFT_TENANT) &&
      'MICROSOFT_TENANT must be common, organizations, consumers, or the id of a tenant',
  ]
}

function productionProblems(config: Config, input: CheckedSettings) {
  const secrets = [
    ...bridgeSecretsOf(config).map(({ name, value }) => [name, value] as const),
    ['AUTH_SECRET', config.AUTH_SECRET] as const,
    ...config.DATA_KEYS.map(({ value }) => ['DATA_KEYS', value] as const),
  ]
  return [
    !input.PUBLIC_URL && 'PUBLIC_URL is required in production: set it to the https address of the service',
    !config.PUBLIC_URL.startsWith('https:') && input.PUBLIC_URL && 'PUBLIC_URL must be https in production',
    !config.FRONTEND_URL.startsWith('https:') && input.FRONTEND_URL && 'FRONTEND_URL must be https in production',
    config.CORS_ORIGINS.some((origin) => !origin.startsWith('https:')) && 'CORS_ORIGINS must be https in production',
    ...secrets.map(
      ([name, value]) =>
        value !== '' &&
        isWeak(value) &&
        `${name} looks like a sample or is easy to guess: use the output of openssl rand -base64 32`,
    ),
  ]
}

const bridgeSecretsOf = ({ BRIDGE_SECRET, BRIDGE_SECRETS }: Config) => [
  ...(BRIDGE_SECRET ? [{ name: 'BRIDGE_SECRET', value: BRIDGE_SECRET }] : []),
  ...BRIDGE_SECRETS.map(({ value }) => ({ name: 'BRIDGE_SECRETS', value })),
]

/** BRIDGE_SECRET has this name even if it is missing, because it may be generated. */
const secretNamesOf = ({ BRIDGE_SECRETS }: Config): string[] => ['default', ...BRIDGE_SECRETS.map(({ name }) => name)]

const isWeak = (value: string): boolean => sample.test(value) || new Set(value).size < 10
