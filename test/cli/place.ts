import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { openEmbedded } from '../../src/db/embedded/open.ts'
import { databaseServer, migratedDatabase } from '../nodes/nodes.ts'
import { openWorkplace } from './run-command.ts'

interface Place {
  /** The settings that select the database. */
  env: Record<string, string>
  isEmbedded: boolean
  /** Queries the database while nothing else has it open. */
  query(text: string): Promise<unknown>
}

/** A workplace with a database on the TEST_DATABASE_URL server, or an embedded one if that is not set. */
export async function openPlace(t: TestContext) {
  const workplace = await openWorkplace(t)
  const { dataDir } = workplace
  return { ...workplace, ...(databaseServer === '' ? embeddedPlace(dataDir) : await serverPlace(t, dataDir)) }
}

function embeddedPlace(dataDir: string): Place {
  return {
    env: { DATA_DIR: dataDir },
    isEmbedded: true,
    async query(text) {
      const embedded = await openEmbedded({ dataDir, archive: undefined })
      return embedded.query(text).finally(() => embedded.close())
    },
  }
}

async function serverPlace(t: TestContext, dataDir: string): Promise<Place> {
  const { url, query, drop } = await migratedDatabase()
  t.after(drop)
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: url,
    AUTH_SECRET: randomBytes(32).toString('base64url'),
    DATA_KEYS: `1:${randomBytes(32).toString('base64url')}`,
  }
  return { env, isEmbedded: false, query }
}
