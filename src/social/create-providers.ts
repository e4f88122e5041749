import type { Context } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import { type Connection, createConnection } from './connection.ts'
import { knownProviders } from './provider.ts'
import { providerFiles } from './providers/index.ts'

export interface Providers {
  /** Throws NOT_FOUND for a name that is none, NOT_CONFIGURED for a provider that is switched off. */
  get(name: string): Connection
  isEnabled(name: string): boolean
  /** All that could be offered: the six, and one of the operator's own when there is one. */
  names(): readonly string[]
}

/** The providers that the configuration has credentials for. None is asked anything before somebody goes there. */
export function createProviders(ctx: Context): Providers {
  const connections = new Map<string, Connection>()
  for (const file of ctx.config.SOCIAL_LOGIN ? providerFiles : []) {
    const app = file.app(ctx.config)
    if (app) connections.set(file.name, createConnection(ctx, file, app))
  }
  const names = [...new Set([...knownProviders, ...connections.keys()])]
  return {
    get: (name) => {
      const connection = connections.get(name)
      if (connection) return connection
      throw new AppError(names.includes(name) ? 'NOT_CONFIGURED' : 'NOT_FOUND')
    },
    isEnabled: (name) => connections.has(name),
    names: () => names,
  }
}
