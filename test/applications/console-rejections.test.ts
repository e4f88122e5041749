import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { textOf } from '../screens/all-pages.ts'
import { staffOf } from '../screens/console/support.ts'
import { withSession } from '../support/people.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { superadminOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_ADMIN: '100000/1h', RATE_LIMIT_READ: '100000/1m' } })
})
after(() => app.stop())

const words = ({ text }: Reply) => textOf(text).replaceAll(/\s+/g, ' ')
const open = (returnTo: string, more: Record<string, string> = {}) =>
  app.get(`/login?${new URLSearchParams({ return_to: returnTo, ...more })}`)

test('rejections are listed with what to do, and an address that is missing can be put into the form', async () => {
  const root = await staffOf(app, 'superadmin')
  const { id } = await (await superadminOf(app)).create('shop', { return_addresses: ['https://shop.test'] })
  const page = `/admin/applications/${id}`
  assert.match(words(await root.open(`${page}/rejections`)), /Nothing was rejected/)
  await open('https://shop.test/a', { max_age: 'soon' })
  await open('https://shop.test:8443/"><b>?secret=1')
  await open('https://elsewhere.test/x')
  const listed = await root.open(`${page}/rejections`)
  assert.match(words(listed), /https:\/\/shop\.test:8443\/.* Not declared .* Wrong parameter .* Correct max_age/)
  assert.ok(!listed.text.includes('secret=1') && !listed.text.includes('<b>'))
  assert.doesNotMatch(words(listed), /elsewhere/)
  const [, link = ''] = /href="([^"]+\?add=[^"]+)"/.exec(listed.text) ?? []
  assert.equal(link, `${page}?add=https%3A%2F%2Fshop.test%3A8443#return_addresses`)
  const form = await root.open(link.replace(/#.*/, ''))
  assert.match(form.text, />\nhttps:\/\/shop\.test\nhttps:\/\/shop\.test:8443<\/textarea>/)
  assert.match(words(form), /https:\/\/shop\.test:8443 is in the form\. Check it, and save\./)
  const { json } = await app.get(`/auth/admin/applications/${id}`, withSession(root.sessionToken))
  assert.deepEqual(json.data.return_addresses, ['https://shop.test'], 'nothing is saved by the link')

  assert.match((await root.open('/admin/applications')).text, /href="\/admin\/applications\/rejections"/)
  const others = await root.open('/admin/applications/rejections')
  assert.match(words(others), /https:\/\/elsewhere\.test\/x Not declared/)
  assert.match(others.text, /href="\/admin\/applications\/new"/)
})

test('identical rejections are one entry, with their number and the last time', async () => {
  const root = await staffOf(app, 'superadmin')
  const { id } = await (await superadminOf(app)).create('often', { return_addresses: ['https://often.test'] })
  for (let count = 0; count < 3; count++) await open('https://often.test:8443/')
  await open('https://often.test:8443/other')
  app.clock.advance(60_000)
  await open('https://often.test:8443/')
  const listed = words(await root.open(`/admin/applications/${id}/rejections`))
  const [, count, time = ''] = /(\d+) times, the last on ([^.]+? UTC)/.exec(listed) ?? []
  assert.equal(count, '4')
  assert.match(time, new RegExp(`:${String(app.ctx.clock.date().getUTCMinutes()).padStart(2, '0')}`))
  assert.equal(listed.match(/Not declared/g)?.length, 2)
  assert.doesNotMatch(listed, /1 times/)
})

test('a link to the form proposes no address that was not rejected for the application', async () => {
  const root = await staffOf(app, 'superadmin')
  const { id } = await (await superadminOf(app)).create('calm', { return_addresses: ['https://calm.test'] })
  await open('https://attacker.test/')
  for (const address of ['https://attacker.test', 'https://calm.test.attacker.test', 'x'.repeat(100)]) {
    const { status, text } = await root.open(`/admin/applications/${id}?add=${encodeURIComponent(address)}`)
    assert.equal(status, 200)
    assert.match(text, /name="return_addresses"[^>]*>\nhttps:\/\/calm\.test<\/textarea>/)
    assert.doesNotMatch(textOf(text), /is in the form/)
  }
})

test('reasons are explained, and an unknown one is shown as it is', async () => {
  const root = await staffOf(app, 'superadmin')
  const { id } = await (await superadminOf(app)).create('all', { return_addresses: ['https://all.test'] })
  const { db, clock } = app.ctx
  for (const reason of ['other_application', 'used', 'withdrawn', 'of_a_later_release']) {
    const details = JSON.stringify({ reason, page: 'https://all.test/x', application_id: id })
    await sql`INSERT INTO audit_events (id, time, event, outcome, node, details)
      VALUES (gen_random_uuid(), ${clock.date()}, 'handover_rejected', 'failure', 'n', ${details})`.execute(db)
  }
  const text = words(await root.open(`/admin/applications/${id}/rejections`))
  assert.match(text, /of_a_later_release/)
  assert.equal(text.match(/Code used twice/g)?.length, 1)
  for (const title of [/Secret of another application/, /Code used twice/, /Signed out/]) assert.match(text, title)
})
