import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { loginAt, newDeployment, registerAt, tally, validateAt } from '../nodes/nodes.ts'
import { startService, written } from '../support/child.ts'
import { person } from '../support/people.ts'

interface Loop {
  /** The longest time, in milliseconds, that the service's computations delayed the next turn of the event loop. */
  computed: number
  /** The 99th percentile and maximum of the timer delays, including those caused by other programs. */
  late: number
  latest: number
  measured: number
}

test('a storm of wrong passwords is refused by and by, and never keeps the loop busy for 50 ms', async (t) => {
  const watch = new URL('./watch-loop.ts', import.meta.url).href
  const service = await startService({ ...newDeployment(), HASH_QUEUE: '16', NODE_OPTIONS: `--import=${watch}` })
  t.after(() => service.stop())
  const ada = await registerAt(service.url)
  const guess = () => loginAt(service.url, { email: person().email, password: 'not the password' })
  // Warms up the service because the first requests also compile code.
  await Promise.all(Array.from({ length: 100 }, guess))
  await validateAt(service.url, ada.sessionToken)

  process.kill(service.pid, 'SIGUSR2')
  const guesses: ReturnType<typeof guess>[] = []
  const validations: number[] = []
  for (let tick = 0; tick < 30; tick++) {
    for (let count = 0; count < 20; count++) guesses.push(guess())
    const started = performance.now()
    assert.equal((await validateAt(service.url, ada.sessionToken)).status, 200)
    validations.push(performance.now() - started)
    await sleep(50)
  }
  const counts = tally(await Promise.all(guesses))
  process.kill(service.pid, 'SIGUSR2')
  const loop: Loop = JSON.parse((await written(service, /^loop (.*)$/m))[1]!)

  const rounded = Object.fromEntries(Object.entries(loop).map(([name, value]) => [name, Math.round(value)]))
  t.diagnostic(`600 guesses: ${JSON.stringify(counts)}, loop in ms: ${JSON.stringify(rounded)}`)
  t.diagnostic(`validation meanwhile: ${Math.round(Math.max(...validations))} ms at most`)
  assert.ok(loop.measured > 1_000)
  assert.ok(loop.computed < 50, `the loop was blocked for ${loop.computed} ms`)
  assert.deepEqual(Object.keys(counts), ['401', '503'])
})
