import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { connectDatabase } from '../../src/db/connect.ts'
import {
  authorizeAddress,
  authorized,
  codeIn,
  follow,
  locationOf,
  redeemCode,
  refreshWith,
  signedInVisitor,
  tokensOf,
  userInfo,
  webClient,
} from '../modules/oauth/sign-in-support.ts'
import { type MadeClient, oauthAdmin, oauthEnv, oauthModules } from '../modules/oauth/support.ts'
import { needsPostgres } from '../nodes/nodes.ts'
import { hiddenFields, type Visitor } from '../screens/support.ts'
import { eventually } from '../support/eventually.ts'
import { raceRounds } from '../support/races.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'

const limits = { RATE_LIMIT_OAUTH_AUTHORIZE: '1000000/1m', RATE_LIMIT_OAUTH_GRANT_FAIL: '1000000/1m' }

describe('codes and refresh tokens of two nodes', needsPostgres, () => {
  let one: TestApp
  let other: TestApp
  let client: MadeClient
  let browser: Visitor
  before(async () => {
    one = await startTestApp({ modules: oauthModules, env: { ...oauthEnv, ...limits } })
    const { DATABASE_URL: url = '' } = one.ctx.config
    const options = { url, poolMax: 10, dataDir: undefined, archive: undefined, onDown: () => {} }
    const env = { ...oauthEnv, ...limits, DATABASE_URL: url }
    other = await startTestApp({ env, database: await connectDatabase(options), clock: one.clock })
    client = await webClient(await oauthAdmin(one), { trusted: true })
    browser = (await signedInVisitor(one)).browser
  })
  after(async () => {
    await other?.stop()
    await one?.stop()
  })

  const node = (at: number): TestApp => (at % 2 === 0 ? one : other)
  const together = (count: number, work: (app: TestApp) => Promise<Reply>): Promise<Reply[]> =>
    Promise.all(Array.from({ length: count }, (_, at) => work(node(at))))
  const successes = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 200)
  const assertNoFault = (replies: readonly Reply[]) => {
    for (const { status, json } of replies)
      assert.ok(status === 200 || json.error === 'invalid_grant', JSON.stringify(json))
  }
  const isRejected = async (app: TestApp, token: string) => (await userInfo(app, token)).status === 401

  test('A12: a code that is redeemed many times at once gives access once, which then ends', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const code = codeIn(await authorized(browser, client))
      const replies = await together(16, (app) => redeemCode(app, client, code))
      assertNoFault(replies)
      const [won, ...more] = successes(replies)
      assert.ok(won)
      assert.equal(more.length, 0)
      for (const app of [one, other]) await eventually(() => isRejected(app, won.json.access_token))
      assert.equal((await refreshWith(one, client, won.json.refresh_token)).json.error, 'invalid_grant')
    }
  })

  test('A16: a refresh that is repeated many times at once yields one successor', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const { refresh_token } = await tokensOf(one, browser, client)
      const replies = await together(16, (app) => refreshWith(app, client, refresh_token))
      assert.equal(successes(replies).length, 16, replies.map(({ text }) => text).join('\n'))
      assert.equal(new Set(replies.map(({ json }) => json.refresh_token)).size, 1)
      const { rows } = await sql`SELECT FROM oauth_refresh_tokens WHERE rotated_at IS NULL
        AND grant_id = (SELECT id FROM oauth_grants ORDER BY id DESC LIMIT 1)`.execute(one.ctx.db)
      assert.equal(rows.length, 1)
    }
  })

  test('a request that is allowed many times at once gives one code', async () => {
    const asking = await webClient(await oauthAdmin(one))
    for (let round = 0; round < raceRounds(5); round++) {
      await sql`DELETE FROM oauth_consents`.execute(one.ctx.db)
      const { reply } = await follow(browser, await browser.open(authorizeAddress(asking)))
      const form = { ...hiddenFields(reply.text, '/oauth/consent'), decision: 'allow' }
      const headers = {
        ...{ accept: 'text/html', cookie: browser.cookie(), 'sec-fetch-site': 'same-origin', origin: 'null' },
        'content-type': 'application/x-www-form-urlencoded',
      }
      const body = new URLSearchParams(form).toString()
      const replies = await together(8, (app) => app.call('POST', '/oauth/consent', { headers, body }))
      const codes = replies.filter(({ headers: { location } }) => location?.includes('code=wac_'))
      assert.equal(codes.length, 1, replies.map(({ status }) => status).join())
      assert.equal((await redeemCode(other, asking, codeIn(locationOf(codes[0] as Reply)))).status, 200)
    }
  })

  test('no access survives a block or a sign-out that happens at the same time', async () => {
    for (let round = 0; round < raceRounds(10); round++) {
      const { browser: mine, user } = await signedInVisitor(one)
      const { refresh_token } = await tokensOf(one, mine, client)
      const code = codeIn(await authorized(mine, client))
      const isBlock = round % 2 === 0
      const end = async () => {
        if (isBlock)
          await sql`INSERT INTO user_blocks (user_id, since, reason) VALUES (${user.id}, now(), 'test')`.execute(
            one.ctx.db,
          )
        else
          await sql`UPDATE sessions SET status = 'revoked', ended_at = now() WHERE user_id = ${user.id}`.execute(
            one.ctx.db,
          )
      }
      const [redeemed, refreshed] = await Promise.all([
        redeemCode(one, client, code),
        refreshWith(other, client, refresh_token),
        end(),
      ])
      assertNoFault([redeemed, refreshed])
      for (const { json } of successes([redeemed, refreshed])) {
        for (const app of [one, other]) await eventually(() => isRejected(app, json.access_token))
        assert.equal((await refreshWith(one, client, json.refresh_token)).json.error, 'invalid_grant')
      }
    }
  })
})
