import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { sealEvents } from '../../src/audit/seal-events.ts'
import { type AdvisoryLock, lockNumber } from '../../src/db/advisory-locks.ts'
import { shippedModules } from '../../src/modules/index.ts'
import { needsPostgres } from '../nodes/nodes.ts'
import { fixedWait } from '../support/fixed-wait.ts'
import { makeModule } from '../support/modules.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const gateNumber = 4711

/** A module whose installation waits until the advisory lock `gateNumber` is released. */
const slow = makeModule({
  id: 'slow',
  components: {
    core: {
      sql: `CREATE TABLE slow_things (id uuid);
        DO $$ BEGIN WHILE NOT pg_try_advisory_xact_lock(${gateNumber}) LOOP PERFORM pg_sleep(0.05); END LOOP; END $$`,
      objects: { slow_things: { id: 'uuid' } },
    },
  },
})

describe('while one task has its advisory lock', needsPostgres, () => {
  let app: TestApp
  let admin: SignedIn
  before(async () => {
    app = await startTestApp({ shipped: [...shippedModules, slow] })
    admin = await signedInAs(app, 'superadmin')
  })
  after(() => app?.stop())

  /** Runs `work` while another node holds the lock. */
  async function whileTaken<Result>(name: AdvisoryLock, work: () => Promise<Result>): Promise<Result> {
    const other = new pg.Client({ connectionString: app.ctx.config.DATABASE_URL })
    await other.connect()
    try {
      await other.query(`BEGIN; SELECT pg_advisory_xact_lock(${lockNumber(name)})`)
      return await work()
    } finally {
      await other.end()
    }
  }

  const install = (id: string) =>
    app.post(`/api/v1/modules/install/${id}/run`, { target: 'core' }, withSession(admin.sessionToken))

  test('a module is installed although another node looks for the last superadmin', async () => {
    let installing: ReturnType<typeof install> | undefined
    await whileTaken('lastSuperadmin', async () => {
      installing = install('onboarding')
      await Promise.race([installing, fixedWait(300, 'an installation that waits for the lock must not finish')])
    })
    const reply = await installing!
    assert.equal(reply.status, 200, reply.text)
  })

  test('a superadmin is demoted while a module is being installed', async () => {
    const other = await signedInAs(app, 'superadmin')
    const gate = new pg.Client({ connectionString: app.ctx.config.DATABASE_URL })
    await gate.connect()
    await gate.query(`SELECT pg_advisory_lock(${gateNumber})`)
    const installing = install('slow')
    const isWaiting = async () =>
      (await gate.query("SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep'")).rowCount
    try {
      while (!(await isWaiting())) await sleep(20)
      const started = performance.now()
      const reply = await app.call('PUT', `/auth/admin/users/${other.id}`, {
        body: { user_type: 'customer' },
        ...withSession(admin.sessionToken),
      })
      assert.equal(reply.status, 200, reply.text)
      assert.ok(performance.now() - started < 3_000)
    } finally {
      await gate.end()
    }
    assert.equal((await installing).status, 200)
  })

  test('the hub is installed while another node seals the audit trail, and the other way round', async () => {
    const installHub = () => app.post('/api/v1/modules/install/run', {}, withSession(admin.sessionToken))
    const reply = await whileTaken('auditSeals', installHub)
    assert.equal(reply.status, 200, reply.text)
    assert.ok((await whileTaken('hubTables', () => sealEvents(app.ctx, 10))) > 0)
  })
})
