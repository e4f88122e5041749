import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectDatabase } from '../../src/db/connect.ts'
import type { PostgresServer } from '../../test/support/postgres.ts'
import { temporaryDirectory } from '../../test/support/temporary-directory.ts'
import { describeObjects } from './describe-objects.ts'
import { describeRows, type Query } from './describe-rows.ts'
import { dumpSchema } from './dump.ts'

/** The text that describes each object, by its name. */
export type Described = ReadonlyMap<string, string>

/** A server is described twice: by `pg_dump`, and by the same queries as the embedded database. */
export async function createOnServer(tree: string, server: PostgresServer): Promise<Described> {
  const url = await server.createDatabase()
  const described = await create(tree, { url, dataDir: undefined })
  return new Map([...dumpSchema(url), ...described])
}

export const createEmbedded = (tree: string): Promise<Described> =>
  create(tree, { url: undefined, dataDir: temporaryDirectory('schema') })

interface Place {
  url: string | undefined
  dataDir: string | undefined
}

/** Uses the commands, because their names change less often than the functions behind them. */
async function create(tree: string, place: Place): Promise<Described> {
  const env = {
    PATH: process.env.PATH,
    NODE_ENV: 'development',
    AUTH_SECRET: 'auth-Zk3vQ8mN1xR6tY9wL4cB7dHs2JfGpVeU',
    DATA_KEYS: `1:${Buffer.alloc(32, 7).toString('base64url')}`,
    DATA_DIR: place.dataDir ?? temporaryDirectory('schema'),
    ...(place.url && { DATABASE_URL: place.url }),
  }
  const wardenry = (...args: string[]) =>
    execFileSync(process.execPath, [join(tree, 'src/cli/main.ts'), ...args], { env, cwd: tree, stdio: 'pipe' })
  wardenry('migrate')
  const ofCore = await withDatabase(place, (query) => describeRows(query, 'core'))
  for (const module of modulesIn(tree)) wardenry('module', 'install', module, '--all')
  const withModules = await withDatabase(place, async (query) => [
    ...(await describeObjects(query)),
    ...(await describeRows(query, 'modules')),
  ])
  return new Map([...ofCore, ...withModules])
}

/** Each module is listed after the modules it depends on. */
function modulesIn(tree: string): string[] {
  const paths = globSync('src/modules/*/module.json', { cwd: tree }).sort()
  const manifests: { module_id: string; depends_on: string[] }[] = paths.map((path) =>
    JSON.parse(readFileSync(join(tree, path), 'utf8')),
  )
  const ordered: string[] = []
  const add = (id: string): void => {
    for (const needed of manifests.find(({ module_id }) => module_id === id)?.depends_on ?? []) add(needed)
    if (!ordered.includes(id)) ordered.push(id)
  }
  for (const { module_id } of manifests) add(module_id)
  return ordered
}

async function withDatabase<Result>(place: Place, work: (query: Query) => Promise<Result>): Promise<Result> {
  const database = await connectDatabase({ ...place, poolMax: 1, archive: undefined, onDown: () => {} })
  try {
    return await work(database.query)
  } finally {
    await database.close()
  }
}
