import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { openWorkplace } from '../cli/run-command.ts'
import { startService, written } from '../support/child.ts'
import { call, migratedDatabase, needsPostgres, newDeployment, registerAt } from './nodes.ts'

const manual = readFileSync(new URL('../../docs/operations/postgresql.md', import.meta.url), 'utf8')

/** The documented GRANT statements with this role's name. */
function grantsFor(role: string): string {
  const block = /```sql\n(GRANT USAGE ON SCHEMA[^`]+)```/.exec(manual)?.[1]
  assert.ok(block)
  return block.replaceAll(/TO wardenry\b/g, `TO ${role}`)
}

describe('a service whose database role may not change the schema', needsPostgres, () => {
  test('says who installs modules, and serves what the owner has installed', async (t) => {
    const database = await migratedDatabase()
    const role = `serves_${randomBytes(4).toString('hex')}`
    await database.query(`CREATE ROLE ${role} LOGIN`)
    t.after(async () => {
      await database.query(`DROP OWNED BY ${role}`)
      await database.query(`DROP ROLE ${role}`)
      await database.drop()
    })
    const { run, dataDir } = await openWorkplace(t)
    const settings = { ...newDeployment(), DATABASE_URL: database.url, DATA_DIR: dataDir }
    const asOwner = async (...args: string[]) => {
      const { code, stdout, stderr } = await run(args, { env: settings })
      assert.equal(code, 0, stdout + stderr)
    }
    await asOwner('migrate')
    await database.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC')
    await database.query(grantsFor(role))

    const url = Object.assign(new URL(database.url), { username: role }).href
    const service = await startService({ ...settings, DATABASE_URL: url, AUTO_MIGRATE: 'false' })
    t.after(() => service.kill())
    const admin = await registerAt(service.url)
    await database.query("UPDATE users SET user_type = 'superadmin' WHERE id = $1", [admin.id])
    const install = () =>
      call(`${service.url}/api/v1/modules/install/onboarding/run`, {
        body: { target: 'core' },
        headers: { 'x-session-id': admin.sessionToken },
      })
    const assertRefused = async () => {
      const { status, json } = await install()
      assert.deepEqual([status, json.code], [500, 'MODULE_RUN_FAILED'], JSON.stringify(json))
      assert.match(json.error, /must not create tables\. Run "wardenry module install"/)
      assert.doesNotMatch(JSON.stringify(json), /permission denied/)
    }
    await assertRefused()
    await written(service, /"reason_code":"42501"/)

    await asOwner('module', 'install', 'privacy')
    await assertRefused()
    await asOwner('module', 'install', 'onboarding')
    const again = await install()
    assert.equal(again.status, 200, JSON.stringify(again.json))
    assert.equal(await service.stop(), 0)
  })
})
