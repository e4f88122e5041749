import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Context } from '../../src/context.ts'
import { runImport } from '../../src/import/import-users.ts'
import { retryOutages } from '../../src/import/retry-outages.ts'
import { auditOf } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { fileWith, importOf, linesOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.stop())

const lost = () => new Error('Connection terminated unexpectedly')

/** A context whose connection is lost after the first transaction has been committed, but before the reply arrives. */
function losesFirstCommit(ctx: Context): Context {
  let isLost = false
  const transaction = () => ({
    execute: async (work: Parameters<ReturnType<typeof ctx.db.transaction>['execute']>[0]) => {
      const result = await ctx.db.transaction().execute(work)
      if (isLost) return result
      isLost = true
      throw lost()
    },
  })
  // Methods are bound because Kysely has private members.
  const get = (db: Context['db'], name: keyof Context['db']) =>
    name === 'transaction' ? transaction : typeof db[name] === 'function' ? db[name].bind(db) : db[name]
  const db = new Proxy(ctx.db, { get: get as ProxyHandler<Context['db']>['get'] & {} })
  return { ...ctx, db }
}

test('a batch whose commit was not acknowledged is written once and counted as imported', async (t) => {
  const record = { email: 'unsure@example.com', identities: [{ provider: 'google', subject: 'unsure' }] }
  const outages: unknown[] = []
  const watch = { outage: (error: unknown) => void outages.push(error) }
  const done = await runImport(losesFirstCommit(app.ctx), importOf(await fileWith(t, linesOf([record]))), watch)
  assert.deepEqual([done.users, done.present, done.problems, outages.length], [1, 0, 0, 1])
  assert.deepEqual([...done.lost], [])
  assert.equal((await auditOf(app, 'users_imported')).length, 1)
})

test('an outage is reported once, and work is repeated a limited number of times', async () => {
  const outages: unknown[] = []
  const retry = retryOutages((error) => void outages.push(error), [1, 1])
  let calls = 0
  const failing = (times: number) => async () => {
    if (++calls <= times) throw lost()
    return calls
  }
  assert.equal(await retry(failing(2)), 3)
  assert.equal(outages.length, 1)

  calls = 0
  await assert.rejects(retry(failing(9)), /Connection terminated/)
  assert.deepEqual([calls, outages.length], [3, 2])
})

test('an error that is not an outage is not retried', async () => {
  let calls = 0
  const retry = retryOutages(() => assert.fail('not an outage'), [1, 1])
  const work = async () => {
    calls++
    throw Object.assign(new Error('duplicate key'), { code: '23505' })
  }
  await assert.rejects(retry(work), /duplicate key/)
  assert.equal(calls, 1)
})
