import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TestContext } from 'node:test'
import { answers, installExample } from './examples.ts'
import { openScratch } from './scratch.ts'

export interface MirroredUser {
  id: string
  email: string
  name: string
  role: string
  blocked: boolean
  until: string | null
}

export interface Mirror {
  start(): Promise<void>
  kill(): Promise<void>
  /** The mirrored users by id. Empty if the mirror still has to read changed users. */
  users(): MirroredUser[]
}

interface MirrorSettings {
  port: number
  service: string
  secret: string
  email: string
  password: string
}

const followClock = new URL('./follow-clock.ts', import.meta.url).href

/** Installs the example back end that mirrors users. It keeps its file when it is killed and started again. */
export async function installMirror(t: TestContext, settings: MirrorSettings, clockFile?: string): Promise<Mirror> {
  const { port, service, secret, email, password } = settings
  const scratch = await openScratch('mirror')
  t.after(() => scratch.close())
  await installExample('mirror', scratch.directory)
  const file = join(scratch.directory, 'mirror.sqlite')
  const env = {
    PORT: String(port),
    WARDENRY_URL: service,
    WEBHOOK_SECRET: secret,
    SUPPORT_EMAIL: email,
    SUPPORT_PASSWORD: password,
    MIRROR_FILE: file,
    ...(clockFile && { NODE_OPTIONS: `--import=${followClock}`, TEST_CLOCK_FILE: clockFile }),
  }
  let kill = async () => {}
  return {
    async start() {
      const started = await scratch.start(process.execPath, ['main.js'], { cwd: scratch.directory, env })
      kill = async () => void (await started.end('SIGKILL'))
      await started.until(() => answers(`http://127.0.0.1:${port}`))
    },
    kill: () => kill(),
    users() {
      const db = new DatabaseSync(file, { readOnly: true })
      try {
        if (db.prepare('SELECT 1 FROM changed UNION ALL SELECT 1 FROM copied WHERE is_complete = 0').get()) return []
        const rows = db.prepare('SELECT * FROM users ORDER BY id').all()
        return rows.map(({ id, email, name, role, is_blocked, blocked_until }) => ({
          id: String(id),
          email: String(email),
          name: String(name),
          role: String(role),
          blocked: is_blocked === 1,
          until: blocked_until === null ? null : String(blocked_until),
        }))
      } finally {
        db.close()
      }
    },
  }
}
