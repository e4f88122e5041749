import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { createConnection, type ProviderConnection } from './connection.ts'
import { knownProviders } from './provider.ts'
import { providerFiles } from './providers/index.ts'

export interface SocialProviders {
  /** Throws NOT_FOUND for unknown names and NOT_CONFIGURED for disabled providers. */
  get(name: string): ProviderConnection
  isEnabled(name: string): boolean
  enabled(): readonly string[]
}

/** Only configured providers are enabled. Nothing is fetched until a provider is used. */
export function createProviders(ctx: Context): SocialProviders {
  const connections = new Map<string, ProviderConnection>()
  for (const file of ctx.config.SOCIAL_LOGIN ? providerFiles : []) {
    const app = file.app(ctx.config)
    if (app) connections.set(file.name, createConnection(ctx, file, app))
  }
  return {
    get: (name) => {
      const connection = connections.get(name)
      if (connection) return connection
      if (!knownProviders.some((known) => known === name)) throw new AppError('NOT_FOUND')
      throw new AppError('NOT_CONFIGURED', { sentence: 'Sign-in with this provider is not configured' })
    },
    isEnabled: (name) => connections.has(name),
    enabled: () => [...connections.keys()],
  }
}
