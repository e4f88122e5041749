import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import pg from 'pg'
import { createAuthenticator } from '../support/authenticator.ts'
import { addOwnPasskey, homeOf, loginChallenge } from '../support/passkeys.ts'
import { registered } from '../support/people.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'

// The embedded database has no client whose statements could be counted.
const skip = process.env.TEST_DATABASE_URL === undefined && 'skipped: no TEST_DATABASE_URL'
let app: TestApp
before(async () => {
  if (!skip) app = await startTestApp()
})
after(() => app?.stop())

const textOf = (query: unknown): string => (typeof query === 'string' ? query : (query as { text: string }).text)

/** The statements that the work sent, by connection. Background jobs use other connections, or do so before or after. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[][]> {
  const queries = mock.method(pg.Client.prototype, 'query')
  try {
    await work()
    const byConnection = Map.groupBy(queries.mock.calls, (call) => call.this as unknown)
    return byConnection
      .values()
      .map((calls) => calls.map(({ arguments: [query] }) => textOf(query)))
      .toArray()
  } finally {
    queries.mock.restore()
  }
}

const begin = /^begin$/i
const end = /^(commit|rollback)$/i

test('a sign-in with a passkey is one transaction of five statements, after a search', { skip }, async () => {
  const ada = await registered(app)
  const authenticator = createAuthenticator(homeOf(app))
  assert.equal((await addOwnPasskey(app, ada.sessionToken, authenticator)).status, 200)
  const { challenge_id, options } = await loginChallenge(app)
  const body = { challenge_id, response: authenticator.get(options) }
  const sent = await statementsOf(async () => assert.equal((await app.post('/auth/passkey/login', body)).status, 200))
  const transactions = sent
    .flatMap((texts) => texts.flatMap((text, at) => (begin.test(text) ? [texts.slice(at + 1)] : [])))
    .map((texts) =>
      texts.slice(
        0,
        texts.findIndex((text) => end.test(text)),
      ),
    )
    .filter((texts) => texts.some((text) => text.includes('INSERT INTO sessions')))
  assert.equal(transactions.length, 1)
  assert.equal(transactions[0]?.length, 5, transactions.flat().join('\n'))
  const searches = sent.flat().filter((text) => /^select .*"passkeys"/i.test(text))
  assert.equal(searches.length, 1)
})

test('a request for options sends one statement, which counts the request', { skip }, async () => {
  const sent = await statementsOf(() => loginChallenge(app))
  const counting = sent.filter((texts) => texts.some((text) => text.includes('INSERT INTO rate_limits')))
  assert.equal(counting.flat().length, 1, sent.flat().join('\n'))
})
