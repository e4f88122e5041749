import type { Config } from '../../config/load.ts'
import type { ProviderFile } from '../provider.ts'
import { google } from './google.ts'
import { oidc } from './oidc.ts'

export const providerFiles: readonly ProviderFile[] = [google, oidc]

/** As people know it. */
export const providerTitle = (config: Config, name: string): string =>
  name === 'oidc' ? config.OIDC_NAME : (providerFiles.find((file) => file.name === name)?.title ?? name)
