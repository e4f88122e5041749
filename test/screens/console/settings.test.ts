import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { ListedModule } from '../../../src/screens/console/modules/modules.ts'
import { absentModules, type ListedSetting } from '../../../src/screens/console/settings/settings.ts'
import { withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { tagsOf, textOf } from '../all-pages.ts'
import { hiddenFields, type Visitor } from '../support.ts'
import { staffOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    env: {
      REAUTH_WINDOW: '1h',
      RATE_LIMIT_ADMIN: '100000/1h',
      APP_TERMS_URL: 'https://example.com/terms',
      SMTP_URL: 'smtp://mailer:hidden-password@127.0.0.1:2525',
      ALLOWED_REDIRECTS: '',
    },
  })
})
after(() => app.stop())
beforeEach(async () => {
  await sql`UPDATE stored_settings SET value = NULL, version = version + 1000`.execute(app.ctx.db)
  await app.ctx.settings.refreshAll()
})

const list = '/admin/settings'
const names = `${list}/names-and-languages`
const signIn = `${list}/registration-and-passwords`

const itemOf = (html: string, name: string): string =>
  textOf(new RegExp(`<li id="${name}">[\\s\\S]*?</li>`).exec(html)?.[0] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
const words = (html: string) => textOf(html).replaceAll(/\s+/g, ' ')
const fieldText = (html: string, name: string) =>
  tagsOf(html).find(({ attributes }) => attributes.id === name)?.attributes.value
const stored = async (name: string) => {
  const { rows } = await sql<{ value: string | null }>`
    SELECT value FROM stored_settings WHERE name = ${name}`.execute(app.ctx.db)
  return rows[0]?.value ?? null
}

test('an administrator sees every setting with its value, source, meaning and default', async () => {
  const admin = await staffOf(app, 'admin')
  const found = async (name: string) => itemOf((await admin.open(`${list}?q=${name}`)).text, name)
  assert.match(await found('APP_NAME'), /^Name shown in emails and on pages APP_NAME Wardenry Default: Wardenry/)
  assert.match(await found('APP_TERMS_URL'), /Set in the environment .*https:\/\/example\.com\/terms/)
  assert.match(await found('SMTP_URL'), /Set in the environment .* Set Default: /)
  assert.match(await found('REDIS_URL'), /REDIS_URL Not set Default: none/)

  const index = await admin.open(list)
  assert.equal(index.status, 200)
  assert.match(textOf(index.text), /17 settings.*Open\s*: Service/s)
  const { data } = (await app.get('/auth/admin/settings', withSession(admin.sessionToken))).json
  const known: string[] = data.settings.map(({ name }: { name: string }) => name)
  const listed = [...index.text.replaceAll('<wbr>', '').matchAll(/[A-Z][A-Z0-9_]{3,}(?= · |<\/code>)/g)].map(
    ([name]) => name,
  )
  assert.deepEqual(listed.toSorted(), known.toSorted())
  const chapters = new Set(index.text.match(/\/admin\/settings\/[a-z-]+(?=">)/g))
  assert.ok(chapters.size > 5)
  for (const path of [list, `${list}?q=e`, ...chapters]) {
    const { text } = await admin.open(path)
    for (const secret of ['hidden-password', app.ctx.config.AUTH_SECRET, app.ctx.config.BRIDGE_SECRET ?? '-'])
      assert.equal(text.includes(secret), false, path)
  }
  const many = textOf((await admin.open(`${list}?q=e`)).text)
  assert.match(many, /\d+ more settings match\. Enter more words to narrow the search\./)

  const changed = await admin.open(`${list}?q=app+url&changed=1`)
  assert.deepEqual(
    [...changed.text.matchAll(/<li id="([A-Z0-9_]+)">/g)].map((match) => match[1]),
    ['APP_TERMS_URL'],
  )
  assert.match((await admin.open(`${list}?q=no-such-setting`)).text, /No setting matches/)
})

test('settings of a module that is not installed lead to its installation', async () => {
  const admin = await staffOf(app, 'admin')
  const index = await admin.open(list)
  const link = /href="(\/admin\/modules\/[a-z-]+)">Install the module first<span class="unseen">: ([^<]*)</.exec(
    index.text,
  )
  const slug = link?.[2]?.toLowerCase().replaceAll(' ', '-')
  const chapter = await admin.open(`${list}/${slug}`)
  assert.match(textOf(chapter.text), /The module .* isn’t installed/)
  assert.ok(chapter.text.includes(`<a href="${link?.[1]}">Install the module first</a>`))
  const module = (name: string, status: ListedModule['status'], switches: string[]) =>
    ({ module_id: name, name, status, switches }) as ListedModule
  const setting = { name: 'SHOP_ENABLED', chapter: 'Shop' } as ListedSetting
  const absent = (shop: ListedModule['status']) =>
    absentModules(
      [setting],
      [module('shop', shop, ['SHOP_ENABLED']), module('prices', 'not_installed', ['SHOP_ENABLED'])],
    )
  assert.equal(absent('not_installed').get('Shop')?.name, 'shop')
  assert.equal(absent('installed').size, 0, 'a module that shares the switch does not own the chapter')
  const without = absentModules([setting], [module('shop', 'not_installed', [])], () => 'Shop')
  assert.equal(without.get('Shop')?.name, 'shop', 'a module without a switch declares its chapter')
})

test('a superadmin stores a value and restores the default, without a script', async () => {
  const root = await staffOf(app, 'superadmin')
  await root.open(names)
  const saved = await root.send(names, { APP_NAME: 'Harbour', DEFAULT_LANG: '' })
  assert.equal(saved.headers.location, `${names}?done=saved&changed=APP_NAME`)
  const page = await root.open(`${names}?done=saved&changed=APP_NAME`)
  assert.match(words(page.text), /Saved\..*Name shown in emails and on pages from Wardenry \(default\) to Harbour/)
  assert.equal(fieldText(page.text, 'APP_NAME'), 'Harbour')
  assert.match(page.text, /<title>[^<]*Harbour<\/title>/)

  assert.equal((await root.send(names, { APP_NAME: 'Harbour' })).headers.location, `${names}?done=unchanged`)
  await root.open(names)
  const reset = await root.send(names, { APP_NAME: '' })
  assert.equal(reset.headers.location, `${names}?done=saved&changed=APP_NAME`)
  assert.equal(await stored('APP_NAME'), null)
  assert.doesNotMatch((await root.open(`${names}?done=saved&changed=%3Cb%3E`)).text, /<b>|Saved/)
})

test('a bad value is refused beside its field, and the others stay in the form', async () => {
  const root = await staffOf(app, 'superadmin')
  await root.open(signIn)
  const refused = await root.send(signIn, {
    CODE_TTL: 'ten minutes',
    LOGIN_LINK_TTL: '30m',
    REGISTRATION_ENABLED: 'no',
  })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /id="CODE_TTL-problem" lang="en">Must be a duration from 1m to 10m/)
  assert.match(refused.text, /id="REGISTRATION_ENABLED-problem" lang="en">Must be true or false/)
  assert.doesNotMatch(refused.text, /id="LOGIN_LINK_TTL-problem"/)
  const banner = /<div class="notice error" role="alert">([\s\S]*?)<\/div>/.exec(refused.text)?.[1] ?? ''
  assert.match(banner, /<a href="#REGISTRATION_ENABLED">Allow users to create accounts<\/a>/)
  assert.match(banner, /<a href="#CODE_TTL">Lifetime of a code that the user enters<\/a>/)
  const focused = tagsOf(refused.text).filter(({ attributes }) => attributes.autofocus !== undefined)
  assert.deepEqual(
    focused.map(({ attributes }) => attributes.id),
    ['REGISTRATION_ENABLED'],
  )
  assert.equal(fieldText(refused.text, 'LOGIN_LINK_TTL'), '30m')
  assert.equal(await stored('LOGIN_LINK_TTL'), null, 'all changes or none')
  assert.equal((await root.send(signIn, { CODE_TTL: '5m', LOGIN_LINK_TTL: '30m' })).status, 303)
  assert.equal(await stored('LOGIN_LINK_TTL'), '30m')
})

test('a superadmin undoes the last change, whose values come from the audit trail', async () => {
  const [root, colleague] = [await staffOf(app, 'superadmin'), await staffOf(app, 'superadmin')]
  await root.open(signIn)
  const saved = await root.send(signIn, { INVITE_TTL: '3d', REGISTRATION_ENABLED: 'false' })
  const page = await root.open(String(saved.headers.location))
  assert.match(words(page.text), /Lifetime of an invitation link from 24h \(default\) to 3d/)
  assert.match(words(page.text), /Allow users to create accounts from On \(default\) to Off/)
  const other = await root.open(`${signIn}?done=saved&changed=INVITE_TTL`)
  assert.doesNotMatch(other.text, />Undo</, 'an address that names other settings')
  assert.doesNotMatch((await colleague.open(String(saved.headers.location))).text, />Undo</)
  const fresh = (await root.open(String(saved.headers.location))).text
  const undo = /aria-label="Last change">([\s\S]*?)<\/form>/.exec(fresh)?.[1] ?? ''
  assert.equal((await root.send(signIn, hiddenFields(`action="${signIn}">${undo}`, signIn))).status, 303)
  assert.deepEqual([await stored('INVITE_TTL'), await stored('REGISTRATION_ENABLED')], [null, null])
})

test('a setting has a readable name, its own words for values, and an address', async () => {
  const root = await staffOf(app, 'superadmin')
  const page = (await root.open(signIn)).text
  assert.match(words(page), /Who may create an account, and the rules for passwords/)
  assert.match(words(page), /From 1h to 14d\. Enter a number and a unit: s, m, h or d\. Default: 24h/)
  const choices = /<select id="REGISTRATION_ENABLED"[^>]*>([\s\S]*?)<\/select>/.exec(page)?.[1] ?? ''
  assert.deepEqual(
    tagsOf(choices).map(({ attributes }) => attributes.value),
    ['', 'false'],
  )
  assert.match(words(choices), /On \(default\) Off/)
  const found = (await root.open(`${list}?q=INVITE_TTL`)).text
  assert.match(found, new RegExp(`href="${signIn}#field-INVITE_TTL"[^>]*>Lifetime of an invitation link</a>`))
  assert.match(page, /id="field-INVITE_TTL"/)
  await root.open(signIn)
  assert.equal((await root.send(signIn, { REGISTRATION_ENABLED: 'false' })).status, 303)
  await root.open(signIn)
  assert.equal((await root.send(signIn, { REGISTRATION_ENABLED: '' })).status, 303)
  assert.equal(await stored('REGISTRATION_ENABLED'), null)
})

test('the chapter with the allowed return addresses leads to the page for adding an application', async () => {
  const root = await staffOf(app, 'superadmin')
  const page = (await root.open(`${list}/clients-origins-and-proxies`)).text
  assert.match(words(page), /Connect an application Add it in the console\. .*without a restart/)
  assert.match(page, /href="\/admin\/applications\/new"/)
  const admin = await staffOf(app, 'admin')
  assert.doesNotMatch((await admin.open(`${list}/clients-origins-and-proxies`)).text, /admin\/applications/)
})

test('a change that somebody else made in the meantime is not overwritten', async () => {
  const [first, second] = [await staffOf(app, 'superadmin'), await staffOf(app, 'superadmin')]
  await first.open(names)
  await second.open(names)
  assert.equal((await second.send(names, { APP_NAME: 'Second' })).status, 303)
  const refused = await first.send(names, { APP_NAME: 'First' })
  assert.equal(refused.status, 409)
  assert.match(textOf(refused.text), /Somebody else changed settings/)
  assert.match(textOf(refused.text), /Stored value: Second/)
  assert.equal(fieldText(refused.text, 'APP_NAME'), 'First')
  assert.equal(await stored('APP_NAME'), 'Second')
  assert.equal((await first.send(names, { APP_NAME: 'First' })).status, 303)
  assert.equal(await stored('APP_NAME'), 'First')
})

test('a setting of the environment is read-only, and a hidden stored value can be removed', async () => {
  await sql`INSERT INTO stored_settings (name, value, version, changed_at)
    VALUES ('APP_TERMS_URL', 'https://example.com/stored', 1, now())
    ON CONFLICT (name) DO UPDATE SET value = excluded.value`.execute(app.ctx.db)
  const root = await staffOf(app, 'superadmin')
  const page = await root.open(names)
  assert.doesNotMatch(page.text, /name="APP_TERMS_URL"/)
  assert.match(textOf(page.text), /The environment sets this value/)
  assert.match(textOf(page.text), /https:\/\/example\.com\/stored is stored but not used/)
  const forced = await root.send(names, { APP_TERMS_URL: 'https://example.com/mine' })
  assert.equal(forced.headers.location, `${names}?done=unchanged`)
  await root.open(names)
  assert.equal((await root.send(names, { reset: 'APP_TERMS_URL' })).status, 303)
  assert.equal(await stored('APP_TERMS_URL'), null)
})

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** Submits the form with a file, as a browser does. */
async function upload(who: Visitor, html: string, file: Buffer) {
  const form = new FormData()
  for (const [name, value] of Object.entries(multipartFields(html))) form.append(name, value)
  form.append('picture', new Blob([Uint8Array.from(file)]), 'logo.png')
  const whole = new Response(form)
  return app.call('POST', `${names}/picture`, {
    headers: {
      accept: 'text/html',
      cookie: who.cookie(),
      'sec-fetch-site': 'same-origin',
      'content-type': whole.headers.get('content-type') ?? '',
    },
    body: Buffer.from(await whole.arrayBuffer()),
  })
}

const multipartFields = (html: string) =>
  hiddenFields(html.replaceAll(' enctype="multipart/form-data"', ''), `${names}/picture`)

test('a superadmin uploads a logo and removes it', async () => {
  const root = await staffOf(app, 'superadmin')
  const { text } = await root.open(names)
  const bad = await upload(root, text, Buffer.from('not a picture'))
  assert.equal(bad.status, 400)
  assert.match(bad.text, /id="APP_LOGO-problem" lang="en">Must be an SVG, PNG or WebP picture/)
  assert.equal((await upload(root, text, Buffer.alloc(300 * 1024))).status, 413)
  const saved = await upload(root, text, Buffer.from(pixel, 'base64'))
  assert.equal(saved.headers.location, `${names}?done=saved&changed=APP_LOGO`)
  const page = await root.open(names)
  assert.match(textOf(page.text), /image\/png, 1 × 1/)
  assert.match(page.text, /src="\/logo\?v=/)
  assert.equal((await root.send(names, { reset: 'APP_LOGO' })).status, 303)
  assert.equal(await stored('APP_LOGO'), null)
})

test('administrators read, support agents do not, and the form of another page changes nothing', async () => {
  const admin = await staffOf(app, 'admin')
  const page = await admin.open(names)
  assert.match(textOf(page.text), /Only superadmins can change settings/)
  assert.doesNotMatch(page.text, /name="APP_NAME"/)
  const token = { form_token: 'forged', version: '0' }
  assert.equal((await admin.send(names, { ...token, APP_NAME: 'Mine' })).status, 400)
  const support = await staffOf(app, 'support')
  assert.equal((await support.open(list)).status, 403)
  const root = await staffOf(app, 'superadmin')
  assert.equal((await root.open(`${list}/no-such-chapter`)).status, 404)
  await root.open(names)
  assert.equal((await root.send(names, { form_token: 'forged', APP_NAME: 'Mine' })).status, 400)
  assert.equal((await root.send(names, { form_token: 'forged' })).status, 400)
  assert.equal(await stored('APP_NAME'), null)
})

test('the descriptions of settings are in the language of the user, and can be searched in it', async () => {
  const root = await staffOf(app, 'superadmin')
  await app.call('PUT', '/auth/profile', { ...withSession(root.sessionToken), body: { lang: 'es' } })
  const page = await root.open(names)
  assert.match(page.text, /lang="es">Nombre que se muestra en los correos y en las páginas/)
  assert.match((await root.open(`${list}?q=nombre+correos`)).text, /id="APP_NAME"/)
  await root.open(names)
  const refused = await root.send(names, { APP_ACCENT: 'azul' })
  assert.match(refused.text, /id="APP_ACCENT-problem" lang="es">Debe ser un color como/)
})
