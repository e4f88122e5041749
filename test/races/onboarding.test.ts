import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nodes, needsPostgres, newAddress, registerAt, startNodes, tally } from '../nodes/nodes.ts'
import { releaseTogether } from '../support/races.ts'

const members = ['acquisition_source', 'acquisition_campaign', 'acquisition_detail', 'acquisition_utm_id']

describe('many moves of one person at one instant', needsPostgres, () => {
  let nodes: Nodes
  before(async () => {
    nodes = await startNodes(2, { MODULES_AUTO_INSTALL: 'onboarding' })
  })
  after(() => nodes?.stop())

  const together = (sessionToken: string, requests: { path: string; body: object }[]) =>
    releaseTogether(
      requests.map(({ path, body }, index) => ({
        method: 'POST',
        url: `${nodes.urls[index % 2]}/api/v1/onboarding${path}`,
        headers: { 'x-session-id': sessionToken, 'x-forwarded-for': newAddress() },
        body,
      })),
    )

  test('completions with different acquisition values: all succeed, and one is taken whole, never a mixture', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, sessionToken } = await registerAt(nodes.urls[0]!)
      // The bodies omit different members so that mixed data is detected.
      const bodies = Array.from({ length: 16 }, (_, who) =>
        Object.fromEntries(
          members.filter((_name, at) => at !== who % members.length).map((name) => [name, `canary ${round} of ${who}`]),
        ),
      )
      const replies = await together(
        sessionToken,
        bodies.map((body, who) => ({
          path: '/complete',
          body: { ...body, biz_name: `Firm ${who}`, is_business: true },
        })),
      )
      assert.deepEqual(tally(replies), { 200: 16 })
      for (const { body } of replies) assert.doesNotMatch(body, /canary|acquisition/)
      const [row] = await nodes.database.query<Record<string, string | null>>(
        `SELECT acquisition_source, acquisition_campaign, acquisition_detail,
           acquisition_extra->>'acquisition_utm_id' AS acquisition_utm_id FROM user_acquisition WHERE user_id = $1`,
        [id],
      )
      const kept = Object.fromEntries(Object.entries(row!).filter(([, value]) => value !== null))
      assert.ok(
        bodies.some((body) => JSON.stringify(body) === JSON.stringify(kept)),
        JSON.stringify(kept),
      )
    }
    for (const { output } of nodes.services) assert.doesNotMatch(output(), /canary/)
  })

  test('steps: none is lost', async () => {
    const { sessionToken } = await registerAt(nodes.urls[0]!)
    const steps = Array.from({ length: 16 }, (_, count) => `step-${count}`)
    const replies = await together(
      sessionToken,
      steps.map((step) => ({ path: `/steps/${step}/complete`, body: { step } })),
    )
    assert.deepEqual(tally(replies), { 200: 16 })
    const reply = await fetch(`${nodes.urls[0]}/api/v1/onboarding`, { headers: { 'x-session-id': sessionToken } })
    const { data } = (await reply.json()) as { data: { steps: object; data: Record<string, unknown> } }
    assert.deepEqual(Object.keys(data.steps).toSorted(), steps.toSorted())
    assert.deepEqual(data.data, Object.fromEntries(steps.map((step) => [step, { step }])))
  })
})
