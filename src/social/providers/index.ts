import { enabledProviderNames } from '../../config/enabled-providers.ts'
import type { Config } from '../../config/load.ts'
import type { ProviderFile } from '../provider.ts'
import { apple } from './apple.ts'
import { discord } from './discord.ts'
import { facebook } from './facebook.ts'
import { github } from './github.ts'
import { google } from './google.ts'
import { microsoft } from './microsoft.ts'
import { oidc } from './oidc.ts'

export const providerFiles: readonly ProviderFile[] = [google, github, facebook, apple, discord, microsoft, oidc]

export const providerTitle = (config: Config, name: string): string =>
  name === 'oidc' ? config.OIDC_NAME : (providerFiles.find((file) => file.name === name)?.title ?? name)

export const enabledProviders = (config: Config): { name: string; title: string }[] =>
  enabledProviderNames(config).map((name) => ({ name, title: providerTitle(config, name) }))
