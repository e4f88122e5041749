import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explain } from '../../src/cli/fail.ts'
import { failInModule } from '../../src/cli/module-commands.ts'

const refused = (port: number) =>
  Object.assign(new Error(`connect ECONNREFUSED 192.0.2.1:${port}`), {
    code: 'ECONNREFUSED',
    address: '192.0.2.1',
    port,
  })

test('a refused connection names the database only if its server refused it', (t) => {
  const before = process.env.DATABASE_URL
  t.after(() => {
    if (before === undefined) delete process.env.DATABASE_URL
    else process.env.DATABASE_URL = before
  })
  process.env.DATABASE_URL = 'postgres://wardenry@192.0.2.1:6432/wardenry'
  assert.match(explain(refused(6432)), /^The database server does not answer: .* DATABASE_URL \(connect/)
  assert.match(explain(refused(587)), /^192\.0\.2\.1:587 refuses the connection: /)
  assert.doesNotMatch(
    explain(Object.assign(new AggregateError([refused(587)], ''), { code: 'ECONNREFUSED' })),
    /DATABASE_URL/,
  )
})

test('a fault in the code of a module names the module and the log line, and other errors are unchanged', async () => {
  const logged: unknown[] = []
  const log = { error: (members: object) => logged.push(members) } as never
  const fault = new TypeError('notes is not iterable')
  const said = /^The module notes failed: notes is not iterable\nThe log line above contains the details\.$/
  await assert.rejects(failInModule({ log }, 'notes', fault), (error: Error) => said.test(error.message))
  await assert.rejects(failInModule({ log }, 'notes', 'thrown text'), /The module notes failed: thrown text/)
  assert.deepEqual(logged[0], { err: fault, module: 'notes' })
  const plain = new Error('There is no note 7')
  await assert.rejects(failInModule({ log }, 'notes', plain), plain)
})
