import assert from 'node:assert/strict'
import { after as afterAll, type TestContext, test } from 'node:test'
import { removeTrees } from '../support/checked-out.ts'
import { type Service, startService } from '../support/child.ts'
import { eventually } from '../support/eventually.ts'
import { forBothReleases, migrationsIn, releasePairs } from '../support/previous-release.ts'
import { loadSettings, startLoad } from './load.ts'
import { call, loginAt, needsBoth, newDatabase, newDeployment, redisUrl, registerAt, validateAt } from './nodes.ts'

afterAll(removeTrees)

/** Sends requests until 200 have succeeded. Fails if any response is an error. */
async function assertServed(t: TestContext, urls: string[]): Promise<void> {
  const load = await startLoad(urls)
  t.after(load.stop)
  await eventually(async () => Object.values(load.counts).reduce((sum, count) => sum + count, 0) > 200)
  await load.stop()
  assert.deepEqual(Object.keys(load.counts), ['200'], JSON.stringify(load.counts))
}

for (const { name, older, newer } of releasePairs()) {
  test(
    `the older release runs alongside the newer one on its schema, and can return: ${name}`,
    needsBoth,
    async (t) => {
      const database = await newDatabase()
      t.after(database.drop)
      const settings = {
        ...forBothReleases(newDeployment()),
        ...loadSettings,
        DATABASE_URL: database.url,
        REDIS_URL: redisUrl,
      }
      const running: Service[] = []
      const start = async (tree: string) => {
        const service = await startService(settings, { tree })
        running.push(service)
        return service
      }
      t.after(() => Promise.all(running.map((service) => service.kill())))

      const before = await start(older())
      const ada = await registerAt(before.url)
      const after = await start(newer())
      const applied = await database.query<{ name: string }>('SELECT name FROM schema_migrations ORDER BY version')
      assert.deepEqual(
        applied.map((row) => row.name),
        migrationsIn(newer()),
      )
      const urls = [before.url, after.url]
      for (const url of urls) assert.equal((await validateAt(url, ada.sessionToken)).status, 200)
      await assertServed(t, urls)

      for (const [one, other] of [urls, urls.toReversed()]) {
        const { status, json } = await loginAt(one!, ada)
        assert.equal(status, 200)
        assert.equal((await validateAt(other!, json.sessionId)).status, 200)
        const headers = { 'x-session-id': json.sessionId }
        assert.equal((await call(`${one}/auth/logout`, { body: {}, headers })).status, 200)
        await eventually(async () => (await validateAt(other!, json.sessionId)).status === 401)
      }

      assert.equal(await before.stop(), 0)
      await assertServed(t, [after.url])
      const again = await start(older())
      await assertServed(t, [again.url, after.url])
      assert.equal(await after.stop(), 0)
      assert.equal((await validateAt(again.url, ada.sessionToken)).status, 200)
      await assertServed(t, [again.url])
    },
  )
}
