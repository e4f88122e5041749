import { existsSync } from 'node:fs'
import type { App } from '../app.ts'
import { describeEvents } from '../events/describe-events.ts'
import { apiDescription } from '../http/openapi/describe-api.ts'
import { command } from './command.ts'

export const openapiCommand = command({
  meta: {
    name: 'wardenry openapi',
    description: 'Print the OpenAPI document for the default settings, with the members of all modules',
  },
  run: async () => {
    const { createApp } = await import('../app.ts')
    const { loadConfig } = await import('../config/load.ts')
    const { connectDatabase } = await import('../db/connect.ts')
    const { archiveFile } = await import('../db/open-database.ts')
    const { completeDescription } = await import('./openapi.ts')
    const { createLogger } = await import('../lib/log.ts')
    const database = await connectDatabase({
      url: undefined,
      poolMax: 1,
      dataDir: undefined,
      archive: existsSync(archiveFile) ? archiveFile : undefined,
      onDown: () => {},
    })
    const app = await createApp({ config: loadConfig(settings), log: createLogger('silent', [], () => {}), database })
    // A reader such as `head` may close the pipe early.
    process.stdout.on('error', () => process.exit(1))
    process.stdout.write(`${JSON.stringify(completeDescription(app), null, 2)}\n`)
    await app.stop()
  },
})

/** These secrets protect only an empty in-memory database. */
const settings = {
  NODE_ENV: 'test',
  AUTH_SECRET: 'of-an-application-that-serves-nobody',
  BRIDGE_SECRET: 'of-a-back-end-that-never-asks-anybody',
  DATA_KEYS: `1:${Buffer.alloc(32).toString('base64url')}`,
  STORAGE_URL: 'off',
}

export function completeDescription({ ctx, http, hub }: Pick<App, 'ctx' | 'http' | 'hub'>): unknown {
  const columns = hub.installed.modules.flatMap(({ userColumns = {} }) => Object.values(userColumns).flat())
  const modules = { userColumns: () => columns, userFilters: hub.installed.declaredFilters }
  return apiDescription(http, { modules, staff: ctx.staff }, describeEvents())()
}
