import type { Config } from './load.ts'

const names = ['GOOGLE', 'GITHUB', 'FACEBOOK', 'APPLE', 'DISCORD', 'MICROSOFT', 'OIDC'] as const

export const providerNames: readonly string[] = names.map((name) => name.toLowerCase())

type Settings = Pick<Config, 'SOCIAL_LOGIN' | `${(typeof names)[number]}_CLIENT_ID`>

/** A client id is enough, because `check.ts` rejects a provider whose other settings are missing. */
export const enabledProviderNames = (config: Settings): string[] =>
  config.SOCIAL_LOGIN
    ? names.filter((name) => config[`${name}_CLIENT_ID`] !== undefined).map((name) => name.toLowerCase())
    : []
