import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fixedWait } from '../support/fixed-wait.ts'
import { needsBoth, newDeployment, redisUrl, registerAt, startNodes, validateAt } from './nodes.ts'

test(
  'two installations with the same Redis and the same secrets accept only their own sessions',
  needsBoth,
  async (t) => {
    const shared = { ...newDeployment(), REDIS_URL: redisUrl }
    const [ours, theirs] = [await startNodes(1, shared), await startNodes(1, shared)]
    t.after(async () => {
      await ours.stop()
      await theirs.stop()
    })
    // Soon after it starts, a node does not use sessions that were cached earlier, so several rounds are needed.
    for (let round = 0; round < 5; round++) {
      const ada = await registerAt(ours.urls[0]!)
      assert.equal((await validateAt(ours.urls[0]!, ada.sessionToken)).status, 200)
      await fixedWait(500, 'the copy is stored in Redis after the response')
      assert.equal((await validateAt(theirs.urls[0]!, ada.sessionToken)).status, 401, `round ${round}`)
    }
  },
)
