import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { keepConnected } from '../../src/adapters/keep-connected.ts'

/** A connection that opens only when the test allows it. */
function unreliable(context: TestContext) {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const seen = { attempts: 0, shut: [] as number[], changes: [] as boolean[], lose: () => {} }
  const gate = { isOpen: true }
  const kept = keepConnected<number>({
    async open(lost) {
      seen.attempts += 1
      seen.lose = lost
      if (!gate.isOpen) throw new Error('refused')
      return seen.attempts
    },
    shut: (connection) => seen.shut.push(connection),
    onChange: (up) => seen.changes.push(up),
  })
  const pass = async (milliseconds: number) => {
    context.mock.timers.tick(milliseconds)
    await nextTurn()
  }
  return { seen, gate, kept, pass }
}

test('the pauses between attempts grow to two seconds and no further', async (context) => {
  const { seen, gate, kept, pass } = unreliable(context)
  await kept
  gate.isOpen = false
  seen.lose()
  for (const pause of [50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000]) {
    const before = seen.attempts
    await pass(pause - 1)
    assert.equal(seen.attempts, before, `too early in the pause of ${pause}`)
    await pass(1)
    assert.equal(seen.attempts, before + 1)
  }
  gate.isOpen = true
  await pass(2_000)
  assert.equal((await kept).current(), seen.attempts)
  assert.deepEqual(seen.changes, [true, false, true])
})

test('an abandoned connection is closed once, even if it reports more later', async (context) => {
  const { seen, kept, pass } = unreliable(context)
  const { drop, current } = await kept
  const loseFirst = seen.lose
  drop()
  loseFirst()
  assert.equal(current(), undefined)
  await pass(50)
  loseFirst()
  assert.deepEqual([seen.shut, current()], [[1], 2])
})

test('a connection that breaks before it is handed over does not count', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const shut: string[] = []
  const kept = await keepConnected<string>({
    async open(lost) {
      lost()
      return 'broken'
    },
    shut: (connection) => shut.push(connection),
    onChange: (up) => assert.equal(up, false),
  })
  assert.equal(kept.current(), undefined)
  assert.deepEqual(shut, ['broken'])
  kept.close()
})

test('after the close, nothing is opened, and late connections are closed', async (context) => {
  context.mock.timers.enable({ apis: ['setTimeout'] })
  const second = Promise.withResolvers<string>()
  const attempts = [Promise.resolve('first'), second.promise]
  const shut: string[] = []
  const kept = await keepConnected<string>({
    open: () => attempts.shift() ?? assert.fail('one more attempt'),
    shut: (connection) => shut.push(connection),
    onChange: () => {},
  })
  kept.drop()
  context.mock.timers.tick(50)
  kept.close()
  second.resolve('second')
  await nextTurn()
  context.mock.timers.tick(60_000)
  assert.deepEqual([shut, kept.current()], [['first', 'second'], undefined])
})
