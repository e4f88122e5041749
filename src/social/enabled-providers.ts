import type { Config } from '../config/load.ts'
import { providerFiles, providerTitle } from './providers/index.ts'

/** The providers that the configuration has credentials for, as people know them: what a sign-in page offers. */
export const enabledProviders = (config: Config): { name: string; title: string }[] =>
  (config.SOCIAL_LOGIN ? providerFiles : [])
    .filter(({ app }) => app(config) !== undefined)
    .map(({ name }) => ({ name, title: providerTitle(config, name) }))
