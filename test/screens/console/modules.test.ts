import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { hour } from '../../../src/lib/time.ts'
import { offText } from '../../../src/screens/console/modules/module/switches.ts'
import type { ListedModule } from '../../../src/screens/console/modules/modules.ts'
import type { ListedSetting } from '../../../src/screens/console/settings/settings.ts'
import { broken, delivery, shop } from '../../support/modules.ts'
import { withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { textOf } from '../all-pages.ts'
import { staffOf } from './support.ts'

let app: TestApp
before(async () => {
  const switched = { ...shop(), switches: ['MAIL_NEW_DEVICE'] as const }
  app = await startTestApp({
    shipped: [switched, delivery(), broken()],
    env: { REAUTH_WINDOW: '1h', RATE_LIMIT_ADMIN: '100000/1h' },
  })
})
after(() => app.stop())

const list = '/admin/modules'
const at = (id: string) => `${list}/${id}`
const words = (html: string) => textOf(html).replaceAll(/\s+/g, ' ')

test('an administrator looks at the plan with its SQL, and installs a module, without a script', async () => {
  const admin = await staffOf(app, 'admin')
  assert.match(words((await admin.open(list)).text), /shop Not installed .* delivery Not installed .*shop/)
  const before = (await admin.open(at('shop'))).text
  assert.match(words(before), /A module can’t be uninstalled, but you can switch it off at any time\./)
  assert.match(words(before), /the component ext-prices ext-prices/)
  const plan = await admin.send(`${at('shop')}/plan`, { component_core: '1', 'component_ext-prices': '1' })
  assert.equal(plan.status, 200)
  assert.match(
    words(plan.text),
    /the component core Install core · Version 1\.0\.0 .* ext-prices Install ext-prices · Version 1\.1\.0/,
  )
  assert.match(words(plan.text), /A module can’t be uninstalled, but/)
  assert.match(plan.text, /<summary>SQL of core<\/summary><pre[^>]*>CREATE TABLE IF NOT EXISTS goods/)
  assert.match(words((await admin.open(list)).text), /shop Not installed/, 'a plan changes nothing')

  await admin.open(at('shop'))
  await admin.send(`${at('shop')}/plan`, { component_core: '1', 'component_ext-prices': '1' })
  const run = await admin.send(`${at('shop')}/run`)
  assert.equal(run.headers.location, `${at('shop')}?done=run`)
  const page = await admin.open(`${at('shop')}?done=run`)
  assert.match(words(page.text), /Installed, but still switched off\./)
  assert.doesNotMatch(words(page.text), /shop is installed but switched off/, 'one message is enough')
  assert.match(words((await admin.open(at('shop'))).text), /shop is installed but switched off\./)
  assert.match(words(page.text), /Succeeded .*@example\.com core · Install · 1\.0\.0 ext-prices · Install · 1\.1\.0/)
  assert.equal(page.headers.refresh, undefined)
})

test('a changed module is repaired, and an older component is updated', async () => {
  const admin = await staffOf(app, 'admin')
  await sql`UPDATE module_hub_registry SET checksum = 'other' WHERE component_id = 'core'`.execute(app.ctx.db)
  await sql`UPDATE module_hub_registry SET version = '1.0.0' WHERE component_id = 'ext-prices'`.execute(app.ctx.db)
  for (const [operation, component, step] of [
    ['repair', 'core', /core Repair core · Version 1\.0\.0/],
    ['update', 'ext-prices', /ext-prices Update ext-prices · Version 1\.0\.0 · version 1\.1\.0 is in this release/],
  ] as const) {
    assert.match((await admin.open(at('shop'))).text, new RegExp(`name="operation" value="${operation}"`))
    const fields = { operation, [`component_${component}`]: '1' }
    assert.match(words((await admin.send(`${at('shop')}/plan`, fields)).text), step)
    assert.equal((await admin.send(`${at('shop')}/run`)).status, 303)
  }
  const { text } = await admin.open(at('shop'))
  assert.doesNotMatch(text, /value="(repair|update)"/)
  assert.match(words(text), /ext-prices · Update · 1\.0\.0 → 1\.1\.0.*core · Repair · 1\.0\.0/)
})

test('a failed run says so and is in the history with its reason', async () => {
  const admin = await staffOf(app, 'admin')
  await admin.open(at('broken'))
  const chosen = { component_core: '1', 'component_ext-bad': '1' }
  assert.equal((await admin.send(`${at('broken')}/plan`, chosen)).status, 200)
  const failed = await admin.send(`${at('broken')}/run`)
  assert.equal(failed.status, 500)
  assert.match(words(failed.text), /The run failed and changed nothing.* Failed .*components\.ext-bad: its SQL failed/)
  await admin.open(at('broken'))
  const nothing = await admin.send(`${at('broken')}/plan`)
  assert.equal(nothing.status, 400)
  assert.match(words(nothing.text), /Choose at least one component/)
})

test('a module without its dependencies is not installed', async () => {
  const admin = await staffOf(app, 'admin')
  await admin.open(at('delivery'))
  await sql`DELETE FROM module_hub_registry WHERE module_id = 'shop'`.execute(app.ctx.db)
  const plan = await admin.send(`${at('delivery')}/plan`, { component_core: '1' })
  assert.match(words(plan.text), /Install this first: shop/)
  const refused = await admin.send(`${at('delivery')}/run`)
  assert.equal(refused.status, 409)
  assert.match(words(refused.text), /requires other modules/)
  const page = await admin.open(at('delivery'))
  assert.match(page.text, new RegExp(`Install this first: <a href="${at('shop')}">shop</a>`))
  assert.doesNotMatch(page.text, /action="[^"]*\/plan"/)
})

test('an installed module names the switches that are still off', () => {
  const module = { name: 'Shop', status: 'installed', enabled: false, switches: ['A', 'B'] } as unknown as ListedModule
  const setting = (name: string, value: string) => ({ name, value, meaning: `enable ${name}` }) as ListedSetting
  assert.match(offText('en', module, [setting('A', 'false'), setting('B', 'false')]) ?? '', /^Shop is installed but/)
  assert.match(
    offText('en', module, [setting('A', 'false'), setting('B', 'true')]) ?? '',
    /^Shop has no effect until this is switched on too: Enable A\.$/,
  )
  assert.equal(offText('en', { ...module, enabled: true }, []), undefined)
})

test('while an installation is in progress, the page says so and loads itself again', async () => {
  const admin = await staffOf(app, 'admin')
  const page = await app.hub.exclusive({ lock: 'moduleRun', limitMs: 10_000 }, () => admin.open(at('shop')))
  assert.equal(page.headers.refresh, '2')
  assert.match(page.text, /<progress/)
  assert.doesNotMatch(page.text, /action="[^"]*\/plan"/)
  assert.equal((await admin.open(at('shop'))).headers.refresh, undefined)
})

test('a superadmin switches a module off and on, only its own switch, and only with recent authentication', async () => {
  const root = await staffOf(app, 'superadmin')
  assert.doesNotMatch((await root.open(at('shop'))).text, /MAIL_NEW_DEVICE/, 'before the installation')
  await root.send(`${at('shop')}/plan`, { component_core: '1' })
  await root.send(`${at('shop')}/run`)
  assert.match(
    words((await root.open(at('shop'))).text),
    /Email users about sign-ins from new devices Off MAIL_NEW_DEVICE Switch on shop/,
  )
  const sent = `${at('shop')}/switch`
  assert.equal((await root.send(sent, { value: 'true' })).headers.location, `${at('shop')}?done=switched`)
  assert.equal(app.ctx.config.MAIL_NEW_DEVICE, true)
  assert.match(
    words((await root.open(`${at('shop')}?done=switched`)).text),
    /Saved.* new devices On MAIL_NEW_DEVICE Switch off shop/,
  )
  const asked = await root.send(sent, { value: 'false' })
  assert.match(words(asked.text), /Switch off shop Its pages and routes stop working immediately\./)
  assert.equal(app.ctx.config.MAIL_NEW_DEVICE, true, 'before the confirmation')
  assert.equal((await root.send(sent, { value: 'false' })).headers.location, `${at('shop')}?done=switched`)
  assert.equal(app.ctx.config.MAIL_NEW_DEVICE, false)
  await root.open(at('shop'))
  await root.send(sent, { value: 'true' })
  await root.open(at('shop'))
  assert.equal((await root.send(sent, { name: 'REGISTRATION_ENABLED', value: 'false' })).status, 404)
  await root.open(at('shop'))
  assert.equal((await root.send(sent, { value: 'false', form_token: 'forged' })).status, 400)
  app.clock.advance(2 * hour)
  await root.open(at('shop'))
  const stale = await root.send(sent, { value: 'false', confirmed: '1' })
  assert.equal(stale.status, 403)
  assert.match(stale.text, /href="\/account\/confirm\?next=%2Faccount%2Fconfirm%3Foutcome%3Dconfirmed" target="_blank"/)
  assert.equal(app.ctx.config.MAIL_NEW_DEVICE, true)

  const admin = await staffOf(app, 'admin')
  assert.doesNotMatch((await admin.open(at('shop'))).text, /\/switch"/)
  const support = await staffOf(app, 'support')
  assert.equal((await support.open(list)).status, 403)
  assert.equal((await admin.open(at('no-such-module'))).status, 404)
})

test('modules of the release have Spanish names, descriptions and components, and name what switching off does', async (t) => {
  const whole = await startTestApp({ modules: ['two-factor'], env: { RATE_LIMIT_ADMIN: '1000/1h' } })
  t.after(() => whole.stop())
  const root = await staffOf(whole, 'superadmin')
  const page = at('two-factor')
  await root.open(page)
  const asked = await root.send(`${page}/switch`, { value: 'false' })
  assert.match(words(asked.text), /Users sign in without a second factor from now on/)
  await whole.call('PUT', '/auth/profile', { ...withSession(root.sessionToken), body: { lang: 'es' } })
  assert.match((await root.open(list)).text, /Segundo factor .*lang="es">Códigos por correo, SMS o autenticador/s)
  assert.match(words((await root.open(page)).text), /Segundos factores de los usuarios, sus códigos de recuperación/)
  assert.match(words((await root.open('/admin/settings')).text), /Bienvenida Primeros pasos de los usuarios nuevos/)
  const { json } = await whole.get('/api/v1/modules/install', withSession(root.sessionToken))
  for (const { module_id: id, components } of json.data as ListedModule[]) {
    const { components: known = {} } = whole.ctx.modules.wordsOf(id, 'es')
    assert.deepEqual(Object.keys(known).sort(), components.map((one) => one.component_id).sort(), id)
  }
})
