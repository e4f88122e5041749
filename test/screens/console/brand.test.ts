import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { logo, storedPicture } from '../../../src/config/branding.ts'
import { SettingProblem } from '../../../src/config/kinds.ts'
import { hour } from '../../../src/lib/time.ts'
import { problemSentence } from '../../../src/screens/console/settings/problem-sentence.ts'
import { withSession } from '../../support/people.ts'
import { startTestApp, type TestApp } from '../../support/test-app.ts'
import { textOf } from '../all-pages.ts'
import { staffOf } from './support.ts'

const brand = '/admin/settings/brand'
const preview = `${brand}/preview`

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { RATE_LIMIT_LOGIN: '1000/15m', RATE_LIMIT_ADMIN: '100000/1h' } })
})
after(() => app.stop())

/** Submits the form of the page as the buttons of the previews do. */
async function previewed(who: Awaited<ReturnType<typeof staffOf>>, fields: Record<string, string>) {
  const page = await who.open(brand)
  const form_token = /name="form_token" value="([^"]+)"/.exec(page.text.split(`action="${brand}"`)[1] ?? '')?.[1] ?? ''
  return who.send(preview, { form_token, ...fields })
}

test('the previews show values that are not stored, in both colour schemes', async () => {
  const root = await staffOf(app, 'superadmin')
  const values = { APP_NAME: 'Harbour & Sons', APP_ACCENT: '#1144aa', APP_TERMS_URL: 'https://example.com/terms' }
  const light = await previewed(root, { ...values, view: 'page-light' })
  assert.equal(light.status, 200)
  assert.match(textOf(light.text), /Harbour & Sons/)
  assert.match(light.text, /--accent:#1144aa/)
  assert.match(light.text, /href="https:\/\/example.com\/terms"/)
  assert.match(light.text, /@media not all/)
  const dark = await previewed(root, { ...values, view: 'page-dark' })
  assert.match(dark.text, /@media all/)
  assert.match(dark.text, /name="color-scheme" content="dark"/)
  const mail = await previewed(root, { ...values, view: 'mail-dark' })
  assert.match(textOf(mail.text), /Harbour & Sons/)
  assert.equal(app.ctx.config.APP_NAME, 'Wardenry')
})

test('a preview runs nothing, can be used for nothing and is shown only by this service', async () => {
  const root = await staffOf(app, 'superadmin')
  const page = await previewed(root, { APP_NAME: '<script>alert(1)</script>', view: 'page-light' })
  assert.doesNotMatch(page.text, /<script/)
  assert.match(page.text, /<body inert /)
  const policy = String(page.headers['content-security-policy'])
  assert.match(policy, /default-src 'none'.*frame-ancestors 'self'.*form-action 'none'.*sandbox/)
  const forged = await root.send(preview, { form_token: 'forged', APP_NAME: 'Mine', view: 'page-light' })
  assert.doesNotMatch(forged.text, /Mine/)
})

test('the page opens with previews of the stored values', async () => {
  const root = await staffOf(app, 'superadmin')
  const page = await root.open(brand)
  for (const view of ['page-light', 'mail-light'])
    assert.match(page.text, new RegExp(`src="${preview}\\?view=${view}"`))
  const frame = await root.open(`${preview}?view=page-light`)
  assert.equal(frame.status, 200)
  assert.match(textOf(frame.text), /Sign in/)
  assert.match(textOf((await root.open(`${preview}?view=mail-light`)).text), /Wardenry/)
})

test('a preview names the values that are not valid', async () => {
  const root = await staffOf(app, 'superadmin')
  const wrong = await previewed(root, { APP_ACCENT: 'blue', view: 'page-light' })
  assert.match(textOf(wrong.text), /Accent colour:\s+Must be a colour/)
})

test('while a colour is being entered, the page says which colour replaces it', async () => {
  const root = await staffOf(app, 'superadmin')
  const note = async (APP_ACCENT: string) => (await previewed(root, { APP_ACCENT, view: 'accent' })).text
  const pale = await previewed(root, { APP_ACCENT: '#ffd800', view: 'accent' })
  assert.match(String(pale.headers['content-type']), /^text\/plain/)
  assert.match(pale.text, /^In light mode, pages use #[\da-f]{6}, because #ffd800 is too light to read\.$/)
  assert.match(await note('#1d4ed8'), /^In dark mode, pages use #[\da-f]{6}, because #1d4ed8 is too dark to read\.$/)
  for (const colour of ['', 'blue']) assert.equal(await note(colour), '')
  await root.open(brand)
  assert.notEqual((await root.send(preview, { form_token: 'forged', view: 'accent' })).text, '')
})

test('the values are saved together, and a colour with too little contrast is named', async () => {
  const root = await staffOf(app, 'superadmin')
  await root.open(brand)
  const saved = await root.send(brand, { APP_NAME: 'Harbour', APP_ACCENT: '#ffd800' })
  assert.equal(saved.headers.location, `${brand}?done=saved`)
  assert.deepEqual([app.ctx.config.APP_NAME, app.ctx.config.APP_ACCENT], ['Harbour', '#ffd800'])
  const page = textOf((await root.open(brand)).text)
  assert.match(page, /In light mode, pages use #[\da-f]{6}, because #ffd800 is too light to read/)
  assert.doesNotMatch(page, /In dark mode/)
  const refused = await root.send(brand, { APP_NAME: 'Kept', APP_ACCENT: 'blue' })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /value="Kept"/)
  assert.match(refused.text, /aria-describedby="APP_ACCENT-hint APP_ACCENT-problem"/)
})

test('saving the values that are already stored says that nothing was changed', async () => {
  const root = await staffOf(app, 'superadmin')
  await root.open(brand)
  assert.equal((await root.send(brand, {})).headers.location, `${brand}?done=unchanged`)
  assert.match(textOf((await root.open(`${brand}?done=unchanged`)).text), /Nothing was changed\./)
})

test('only superadmins change the brand, and support agents do not see the page', async () => {
  const admin = await staffOf(app, 'admin')
  const page = await admin.open(brand)
  assert.equal(page.status, 200)
  assert.match(page.text, /name="APP_NAME"[^>]* readonly/)
  assert.equal((await admin.send(brand, { APP_NAME: 'Mine' })).status, 403)
  assert.equal((await (await staffOf(app, 'support')).open(brand)).status, 403)
})

test('the colour field counts if its colour was changed, and a refused value is focused and named', async () => {
  const root = await staffOf(app, 'superadmin')
  const page = (await root.open(brand)).text
  assert.match(page, /<input type="color" name="accent_picked" value="#ffd800"/)
  assert.match(textOf(page), /Default: #17614c/)
  const picked = { accent_picked: '#1144aa', accent_before: '#ffd800', APP_ACCENT: '#ffd800' }
  assert.match((await previewed(root, { ...picked, view: 'page-light' })).text, /--accent:#1144aa/)
  await root.open(brand)
  assert.equal((await root.send(brand, picked)).status, 303)
  assert.equal(app.ctx.config.APP_ACCENT, '#1144aa')
  await root.open(brand)
  const same = { accent_picked: '#1144aa', accent_before: '#1144aa', APP_ACCENT: '#17614c' }
  assert.equal((await root.send(brand, same)).status, 303)
  assert.equal(app.ctx.config.APP_ACCENT, '#17614c')
  await root.open(brand)
  const refused = (await root.send(brand, { APP_ACCENT: 'green' })).text
  assert.match(refused, /role="alert">\s*<p>[^<]*<\/p>\s*<ul>\s*<li><a href="#APP_ACCENT">Accent colour<\/a>/)
  assert.match(refused, /id="APP_ACCENT"[^>]* autofocus/)
  assert.match(refused, /data-preview="draft"/)
})

test('the logo is shown on both backgrounds, and an old sign-in is confirmed before a file is chosen', async () => {
  const root = await staffOf(app, 'superadmin')
  assert.doesNotMatch((await root.open(brand)).text, /Confirm your identity before/)
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>').toString('base64')
  const changes = [{ name: 'APP_LOGO', value: `data:;base64,${svg}` }]
  await app.call('PUT', '/auth/admin/settings', { ...withSession(root.sessionToken), body: { changes } })
  const page = (await root.open(brand)).text
  assert.match(page, /<figure class="onLight"><img src="\/logo\?v=.*<figure class="onDark"><img src="\/logo\?v=/s)
  app.clock.advance(hour)
  const later = (await root.open(brand)).text
  assert.match(
    later,
    /Confirm your identity before you fill in the form\..*href="\/account\/confirm\?next=%2Fadmin%2Fsettings%2Fbrand"/s,
  )
})

test('a refused logo is described in the language of the page', () => {
  const sentences = (content: string) => {
    const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">${content}</svg>`)
    const problem = logo('').readStored?.(storedPicture(svg))
    assert.ok(problem instanceof SettingProblem, content)
    return ['en', 'es'].map((lang) => problemSentence(lang, problem.message).text)
  }
  assert.deepEqual(sentences('<script/>'), [
    'This is an SVG with the element script, which is not accepted',
    'El SVG contiene el elemento script, que no se admite',
  ])
  for (const content of ['<g onclick="x"/>', '<use href="//a/b#c"/>', '<g>', '<g/>'.repeat(5_001)]) {
    const [english = '', spanish = ''] = sentences(content)
    assert.match(english, /^This is an SVG with /)
    assert.match(spanish, /^El SVG /)
  }
})
