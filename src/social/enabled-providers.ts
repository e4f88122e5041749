import type { Config } from '../config/load.ts'
import { providerFiles, providerTitle } from './providers/index.ts'

export const enabledProviders = (config: Config): { name: string; title: string }[] =>
  (config.SOCIAL_LOGIN ? providerFiles : [])
    .filter(({ app }) => app(config) !== undefined)
    .map(({ name }) => ({ name, title: providerTitle(config, name) }))
