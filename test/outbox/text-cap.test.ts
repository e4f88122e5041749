import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '../../src/db/transact.ts'
import { rejectionOfText } from '../../src/outbox/may-text.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

const rejection = (app: TestApp, to: string) => transact(app.ctx, (tx) => rejectionOfText(tx, to))
const inTurn = async (app: TestApp, numbers: string[]) => {
  const rejections = []
  for (const number of numbers) rejections.push((await rejection(app, number)) ?? 'sent')
  return rejections
}
const reset = (app: TestApp) => sql`UPDATE rate_limits SET resets_at = now() WHERE key LIKE 'sms:%'`.execute(app.ctx.db)
/** Different numbers in the same range: only the last three digits differ. */
const neighbours = (count: number, range = '+491511234') =>
  Array.from({ length: count }, (_, index) => `${range}5${String(index).padStart(3, '0')}`)

test('a number, the thousand around it and all together get so many texts a window', async (t) => {
  const app = await startTestApp({ env: { SMS_CAP: '2/1h', SMS_BUDGET: '25/1h' } })
  t.after(app.stop)
  const ada = '+4915112399999'
  assert.deepEqual(await inTurn(app, [ada, ada, ada, ada]), ['sent', 'sent', 'number', 'number'])
  const sent = await inTurn(app, neighbours(22))
  assert.deepEqual(sent, [...Array(20).fill('sent'), 'range', 'range'])
  // 22 of 25 messages have been sent. Rejected messages do not count towards the budget.
  const elsewhere = ['+491601111111', '+491602222222', '+491603333333', '+491604444444']
  assert.deepEqual(await inTurn(app, elsewhere), ['sent', 'sent', 'sent', 'budget'])
  await reset(app)
  assert.deepEqual(await inTurn(app, [ada, '+491604444444']), ['sent', 'sent'])
})

test('parallel texts are counted one by one', async (t) => {
  const app = await startTestApp({ env: { SMS_CAP: '5/1h' } })
  t.after(app.stop)
  const rejections = await Promise.all(Array.from({ length: 20 }, () => rejection(app, '+4915112345678')))
  assert.equal(rejections.filter((one) => one === undefined).length, 5)
})

test('only listed countries get texts; without a list those of the region, else all that are countries', async (t) => {
  const numbers = ['+4915112345678', '+12025550123', '+18765551234', '+8835100012345', '+87012345678']
  const expected: [env: Record<string, string>, sent: string[]][] = [
    [{ SMS_COUNTRIES: 'DE,US' }, ['+4915112345678', '+12025550123']],
    [{ SMS_COUNTRIES: 'JM', DEFAULT_PHONE_REGION: 'DE' }, ['+18765551234']],
    [{ DEFAULT_PHONE_REGION: 'DE' }, ['+4915112345678']],
    [{}, numbers.slice(0, 3)],
  ]
  for (const [env, sent] of expected) {
    const app = await startTestApp({ env })
    t.after(app.stop)
    const rejections = await inTurn(app, numbers)
    const allowed = numbers.filter((_, index) => rejections[index] !== 'country')
    assert.deepEqual(allowed, sent, JSON.stringify(env))
  }
})
