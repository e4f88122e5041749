import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { connectDatabase } from '../../src/db/connect.ts'
import { day, second } from '../../src/lib/time.ts'
import { invalidateDirectory } from '../../src/modules/oauth/directory.ts'
import { findDirectoryVersion } from '../../src/modules/oauth/directory-queries.ts'
import { findSigningKeys } from '../../src/modules/oauth/keys/key-queries.ts'
import { signingAlgs } from '../../src/modules/oauth/rows.ts'
import {
  addResource,
  isPublished,
  kidOf,
  rotate,
  signed,
  startOAuth,
  superadmin,
  upkeep,
  verifies,
} from '../modules/oauth/key-support.ts'
import { needsPostgres } from '../nodes/nodes.ts'
import { eventually } from '../support/eventually.ts'
import type { SignedIn } from '../support/people.ts'
import { raceRounds } from '../support/races.ts'
import { auditOf } from '../support/rows.ts'
import type { TestApp } from '../support/test-app.ts'

describe('signing keys of two nodes', needsPostgres, () => {
  let [one, other]: [TestApp?, TestApp?] = []
  let nodes: TestApp[] = []
  let root: SignedIn
  before(async () => {
    one = await startOAuth()
    const { DATABASE_URL: url } = one.ctx.config
    const options = { url, poolMax: 10, dataDir: undefined, archive: undefined, onDown: () => {} }
    other = await startOAuth(
      { DATABASE_URL: url ?? '' },
      { database: await connectDatabase(options), clock: one.clock },
    )
    nodes = [one, other]
  })
  after(async () => {
    await other?.stop()
    await one?.stop()
  })
  beforeEach(async () => {
    const [{ ctx }] = nodes as [TestApp]
    root = await superadmin(nodes[0]!)
    await sql`DELETE FROM oauth_resources`.execute(ctx.db)
    await sql`DELETE FROM oauth_keys`.execute(ctx.db)
    const version = await findDirectoryVersion(ctx.db)
    for (const node of nodes) await invalidateDirectory(node.ctx, version)
  })

  const onBoth = <Result>(times: number, work: (node: TestApp) => Promise<Result>): Promise<Result[]> =>
    Promise.all(Array.from({ length: times }, (_, at) => work(nodes[at % 2]!)))
  const statuses = async () => (await findSigningKeys(nodes[0]!.ctx.db)).map(({ status }) => status).toSorted()

  test('concurrent first tokens of both nodes share one key, which both verify', async () => {
    for (const alg of signingAlgs) {
      const tokens = await onBoth(16, (node) => signed(node, alg))
      assert.equal(new Set(tokens.map(kidOf)).size, 1)
      for (const node of nodes) for (const jwt of tokens) assert.ok(await verifies(node, jwt))
    }
    assert.equal((await statuses()).length, signingAlgs.length)
  })

  test('each step of a rotation is taken once, whichever nodes run the job', async () => {
    await addResource(nodes[0]!)
    await signed(nodes[0]!)
    for (let round = 0; round < raceRounds(3); round++) {
      const counts = async () =>
        Promise.all(
          (['oauth_key_created', 'oauth_key_activated', 'oauth_key_retired'] as const).map(
            async (event) => (await auditOf(nodes[0]!, event)).length,
          ),
        )
      const [created, activated, retired] = (await counts()) as [number, number, number]
      nodes[0]!.clock.advance(89 * day)
      await onBoth(8, upkeep)
      assert.deepEqual(await counts(), [created + 1, activated, retired])
      nodes[0]!.clock.advance(day)
      await onBoth(8, upkeep)
      assert.deepEqual(await counts(), [created + 1, activated + 1, retired + 1])
      assert.equal((await statuses()).filter((status) => status === 'current').length, 1)
    }
  })

  test('no token is rejected while keys rotate, whichever nodes sign and verify', async () => {
    await addResource(nodes[0]!)
    let isOver = false
    let count = 0
    const signing = async (signer: TestApp, verifier: TestApp) => {
      while (!isOver) {
        const jwt = await signed(signer)
        assert.ok(await verifies(verifier, jwt), 'by the other node')
        assert.ok(await isPublished(verifier, jwt), 'with the published keys')
        count++
      }
    }
    const clients = [
      signing(nodes[0]!, nodes[1]!),
      signing(nodes[1]!, nodes[0]!),
      signing(nodes[0]!, nodes[0]!),
      signing(nodes[1]!, nodes[1]!),
    ]
    const rotating = async () => {
      for (let round = 0; round < raceRounds(5); round++) {
        root = await superadmin(nodes[0]!)
        assert.equal((await rotate(nodes[round % 2]!, root)).status, 200)
        // The clock cannot be advanced, because tokens would expire between signing and verification.
        await sql`UPDATE oauth_keys SET created_at = created_at - interval '1 hour' WHERE status = 'next'`.execute(
          nodes[0]!.ctx.db,
        )
        const { json } = await rotate(nodes[(round + 1) % 2]!, root)
        assert.equal(json.data.keys[0].outcome, 'activated')
      }
    }
    await rotating().finally(() => {
      isOver = true
    })
    await Promise.all(clients)
    assert.ok(count > 4)
  })

  test('concurrent reports of a compromise and the job leave one current key', async () => {
    await addResource(nodes[0]!)
    const jwt = await signed(nodes[0]!)
    nodes[0]!.clock.advance(89 * day)
    root = await superadmin(nodes[0]!)
    await Promise.all([
      onBoth(4, (node) => rotate(node, root, { compromised: true })),
      onBoth(4, upkeep),
      onBoth(4, (node) => signed(node)),
    ])
    const left = await statuses()
    assert.equal(left.filter((status) => status === 'current').length, 1)
    assert.equal(await verifies(nodes[0]!, jwt), false)
  })

  test('the other node rejects a compromised key within a second', async () => {
    const jwt = await signed(nodes[0]!)
    assert.ok(await verifies(nodes[1]!, jwt))
    assert.equal((await rotate(nodes[0]!, root, { compromised: true })).status, 200)
    const since = performance.now()
    assert.equal(await verifies(nodes[0]!, jwt), false)
    await eventually(async () => !(await verifies(nodes[1]!, jwt)) && !(await isPublished(nodes[1]!, jwt)))
    assert.ok(performance.now() - since < second)
    const fresh = await signed(nodes[0]!)
    assert.ok(await verifies(nodes[1]!, fresh))
  })
})
