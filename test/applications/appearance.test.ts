import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { operator } from '../../src/admin/principal.ts'
import { applyApplications, exportApplications, planApplications } from '../../src/applications/transfer/apply.ts'
import { storedPicture } from '../../src/config/branding.ts'
import { findReturnAddress } from '../../src/http/responses/redirects.ts'
import { hour } from '../../src/lib/time.ts'
import { applicationProblems } from '../../src/screens/console/applications/problems.ts'
import { accentsOf, themeOf } from '../../src/ui/shared/theme.ts'
import { multipart, multipartType } from '../pictures/support.ts'
import { textOf } from '../screens/all-pages.ts'
import { staffOf } from '../screens/console/support.ts'
import { flowIn, locationOf, signInAt } from '../screens/flow-support.ts'
import { flowVisitor, hiddenFields, visitor } from '../screens/support.ts'
import { withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { type Reply, startTestApp, type TestApp } from '../support/test-app.ts'
import { type Superadmin, superadminOf } from './support.ts'

let app: TestApp
let superadmin: Superadmin
before(async () => {
  app = await startTestApp({
    env: {
      APP_NAME: 'Example',
      APP_TERMS_URL: 'https://www.example.com/terms',
      RATE_LIMIT_ADMIN: '100000/1h',
      RATE_LIMIT_READ: '100000/1m',
      RATE_LIMIT_WRITE: '100000/1m',
      MAIL_CAP: '1000/1h',
    },
  })
  superadmin = await superadminOf(app)
})
after(() => app.stop())

const words = ({ text }: Reply) => textOf(text).replaceAll(/\s+/g, ' ')
const svgOf = (content: string, size = '10 10') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size}">${content}</svg>`)
const square = storedPicture(svgOf('<rect width="9" height="9"/>'))
async function loginFor(returnTo: string): Promise<Reply> {
  const browser = flowVisitor(app)
  return browser.open(locationOf(await browser.open(signInAt({ return_to: returnTo }))))
}
const brandOf = ({ text }: Reply): string => /<header class="brand">[\s\S]*?<\/header>/.exec(text)?.[0] ?? ''

test('the pages of a sign-in show the accent, logo, name and links of the application that it is for', async () => {
  const address = 'https://branded.test'
  const { id } = await superadmin.create('branded', {
    name: 'Branded',
    return_addresses: [address],
    accent: '#A21',
    logo: square,
    privacy_url: 'https://branded.test/privacy',
  })
  const { json } = await superadmin.call('GET', `/${id}`)
  assert.equal(json.data.accent, '#aa2211')
  assert.deepEqual([json.data.logo.width, json.data.logo.height], [10, 10])
  const src = json.data.logo.url.replace(app.ctx.config.PUBLIC_URL, '').replaceAll('&', '&amp;')
  const browser = flowVisitor(app)
  const flow = flowIn(locationOf(await browser.open(signInAt({ return_to: `${address}/a` }))))
  for (const path of ['/login', '/register', '/forgot', '/recover']) {
    const page = await browser.open(`${path}?flow=${flow}`)
    assert.equal(page.status, 200, path)
    assert.match(brandOf(page), /<span>Branded<\/span>/, path)
    assert.ok(brandOf(page).includes(`src="${src}"`), path)
    assert.ok(page.text.includes(`--accent:${accentsOf('#aa2211').light}`), path)
    assert.match(page.text, /href="https:\/\/branded\.test\/privacy"/)
    assert.match(page.text, /href="https:\/\/www\.example\.com\/terms"/)
  }
  const other = await browser.open('/login')
  assert.match(brandOf(other), /<span>Example<\/span>/)
  assert.doesNotMatch(other.text, /branded\.test\/privacy|application=/)

  const picture = await app.get(json.data.logo.url.replace(app.ctx.config.PUBLIC_URL, ''))
  assert.deepEqual([picture.status, picture.headers['content-type']], [200, 'image/svg+xml'])
  assert.match(String(picture.headers['cache-control']), /immutable/)
  assert.match(String(picture.headers['content-security-policy']), /default-src 'none'.*sandbox/)
})

test('a disabled or deleted application, and one without an appearance, has the look of the installation', async () => {
  const address = 'https://switched.test'
  const { id } = await superadmin.create('switched', { return_addresses: [address], accent: '#a21', logo: square })
  const logo = (await superadmin.call('GET', `/${id}`)).json.data.logo.url.replace(app.ctx.config.PUBLIC_URL, '')
  const browser = flowVisitor(app)
  const path = locationOf(await browser.open(signInAt({ return_to: address })))
  for (const [method, action, name, status] of [
    ['POST', '/disable', 'Example', 200],
    ['POST', '/enable', 'switched', 200],
    ['DELETE', '', 'Example', 404],
  ] as const) {
    await superadmin.call(method, `/${id}${action}`)
    assert.match(brandOf(await browser.open(path)), new RegExp(`<span>${name}</span>`), action)
    assert.equal((await app.get(logo)).status, status, action)
  }
  await superadmin.create('plain', { name: 'Plain', return_addresses: ['https://plain.test'] })
  assert.match(brandOf(await loginFor('https://plain.test')), /<span>Example<\/span>/)
  for (const application of ['no-such-id', crypto.randomUUID()])
    assert.equal((await app.get(`/logo?application=${application}`)).status, 404)
})

test('names, logos and addresses that could mislead users or run code are rejected', async () => {
  const { id } = await superadmin.create('strict', { return_addresses: ['https://strict.test'] })
  for (const [member, value, message] of [
    ['name', 'a\u202eb', /control characters/],
    ['name', 'a\u200fb', /direction/],
    ['name', 'a\u200bb', /zero-width/],
    ['name', '\u3164', /visible/],
    ['accent', 'red;}body{top:0}', /must be a colour/],
    ['accent', 'javascript:', /must be a colour/],
    ['logo', storedPicture(svgOf('<script>alert(1)</script>')), /SVG with the element/],
    ['logo', storedPicture(svgOf('<rect onload="alert(1)"/>')), /event handler/],
    ['logo', storedPicture(svgOf('<image href="https://attacker.test/x"/>')), /SVG with/],
    ['logo', storedPicture(Buffer.from('<html><script>alert(1)</script></html>')), /must be an SVG, PNG or WebP/],
    ['logo', storedPicture(Buffer.alloc(257 * 1024)), /at most 256/],
    ['logo', 'https://attacker.test/logo.svg', /must be an SVG, PNG or WebP/],
    ['logo', '/etc/passwd', /must be an SVG, PNG or WebP/],
    ['terms_url', 'http://strict.test/terms', /https/],
    ['terms_url', 'javascript:alert(1)', /http/],
    ['privacy_url', 'https://user@strict.test/', /http/],
    ['sign_out_url', 'https://attacker.test/', /below one of the return addresses/],
    ['sign_out_url', 'https://strict.test.attacker.test/', /below one of the return addresses/],
    ['sign_out_url', 'javascript:alert(1)', /below one of the return addresses/],
    ['sign_out_url', 'nowhere', /must be a URL/],
  ] as const) {
    const { status, json } = await superadmin.call('PUT', `/${id}`, { [member]: value })
    assert.equal(status, 400, value.slice(0, 100))
    assert.match(json.details[0].message, message)
    assert.equal(json.details[0].field, member)
    const spanish = applicationProblems('es', json).fields[member] ?? ''
    assert.doesNotMatch(spanish, /^(Must|Names|$)/, json.details[0].message)
  }
  const name = '<b>"Shop" & Söhne</b> {{1}}'
  await superadmin.call('PUT', `/${id}`, { name, logo: square })
  const page = await loginFor('https://strict.test')
  assert.ok(!page.text.includes('<b>'))
  assert.match(words(page), /<b>"Shop" & Söhne<\/b> \{\{1\}\}|&lt;b/)
})

test('an application whose return addresses change keeps no page after sign-out outside of them', async () => {
  const { id } = await superadmin.create('leaving', {
    return_addresses: ['https://leaving.test/app', 'leaving://'],
    sign_out_url: 'https://leaving.test/app/bye',
  })
  const moved = await superadmin.call('PUT', `/${id}`, { return_addresses: ['leaving://'] })
  assert.deepEqual([moved.status, moved.json.details[0].field], [400, 'sign_out_url'])
  const both = { return_addresses: ['leaving://'], sign_out_url: 'leaving://bye' }
  assert.equal((await superadmin.call('PUT', `/${id}`, both)).json.data.sign_out_url, 'leaving://bye')
})

test('a sign-out that names only the application leads to its page after sign-out', async () => {
  const bye = 'https://bye.test/signed-out'
  const { id } = await superadmin.create('bye', { return_addresses: ['https://bye.test'], sign_out_url: bye })
  const staff = await staffOf(app, 'customer')
  const asked = await staff.open('/logout?application=bye')
  assert.equal(asked.status, 200)
  assert.equal(hiddenFields(asked.text, '/logout').return_to, bye)
  const ended = await staff.send('/logout')
  assert.equal(ended.headers.location, bye)
  const nobody = visitor(app)
  assert.equal((await nobody.open('/logout?application=bye')).headers.location, bye)
  const own = encodeURIComponent('https://bye.test/other')
  assert.equal(
    (await nobody.open(`/logout?application=bye&return_to=${own}`)).headers.location,
    'https://bye.test/other',
  )
  await superadmin.call('POST', `/${id}/disable`)
  for (const key of ['bye', 'unknown', '__proto__'])
    assert.equal((await nobody.open(`/logout?application=${key}`)).headers.location, '/login')
})

test('each change is in the audit trail without the picture, and a set is moved with its pictures', async () => {
  const members = {
    accent: '#5b21b6',
    terms_url: 'https://moved.test/terms',
    privacy_url: 'https://moved.test/privacy',
    sign_out_url: 'https://moved.test/bye',
  }
  const { id } = await superadmin.create('moved', { return_addresses: ['https://moved.test'] })
  await superadmin.call('PUT', `/${id}`, { ...members, logo: square })
  const { details } = (await auditOf(app, 'application_updated')).find((one) => one.details.key === 'moved') ?? {}
  assert.deepEqual((details as { changed: string[] }).changed.toSorted(), [...Object.keys(members), 'logo'].toSorted())
  const [, changes] = [details, (details as { changes: Record<string, { from: unknown; to: unknown }> }).changes]
  assert.deepEqual(changes.accent, { from: null, to: '#5b21b6' })
  assert.ok(!JSON.stringify(details).includes(square.slice(20, 60)))
  const again = await superadmin.call('PUT', `/${id}`, { ...members, logo: square })
  assert.equal((await auditOf(app, 'application_updated')).filter((one) => one.details.key === 'moved').length, 1)

  const exported = await exportApplications(app.ctx)
  const entry = exported.applications.find(({ key }) => key === 'moved')
  for (const [name, value] of Object.entries(members)) assert.equal(entry?.[name as keyof typeof members], value)
  const text = JSON.stringify(exported)
  const steps = await planApplications(app.ctx, { text, prune: false })
  assert.deepEqual([...new Set(steps.map(({ action }) => action))], ['keep'])
  await superadmin.call('PUT', `/${id}`, { logo: null, accent: null })
  assert.equal((await superadmin.call('GET', `/${id}`)).json.data.logo, null)
  await applyApplications(app.ctx, { principal: operator }, { text, prune: false })
  const { json } = await superadmin.call('GET', `/${id}`)
  assert.equal(json.data.logo.url, again.json.data.logo.url)
  const picture = await app.get(json.data.logo.url.replace(app.ctx.config.PUBLIC_URL, ''))
  assert.equal(picture.status, 200)
  const wrong = { version: 1, applications: [{ ...entry, return_addresses: ['https://other.test'] }] }
  await assert.rejects(planApplications(app.ctx, { text: JSON.stringify(wrong), prune: false }), (error: Error) =>
    JSON.stringify((error as Error & { details: unknown }).details).includes('moved.sign_out_url'),
  )
})

test('the look of an application is computed once, until an application changes', async () => {
  await superadmin.create('cached', { return_addresses: ['https://cached.test'], accent: '#5b21b6' })
  const theme = () => themeOf(app.ctx.config, findReturnAddress(app.ctx, 'https://cached.test/')?.application)
  const first = theme()
  assert.equal(theme(), first)
  assert.notEqual(first, themeOf(app.ctx.config))
  assert.equal(first.name, 'cached')
})

test('the console changes the appearance, with recent authentication', async () => {
  const root = await staffOf(app, 'superadmin')
  const { id } = await superadmin.create('form', { name: 'Form', return_addresses: ['https://form.test'] })
  const path = `/admin/applications/${id}/appearance`
  const own = withSession(root.sessionToken)
  const stored = async () => (await app.get(`/auth/admin/applications/${id}`, own)).json.data
  assert.match((await root.open(`/admin/applications/${id}`)).text, new RegExp(`href="${path}"`))
  for (const [entries, field] of [
    [{ accent: 'blue' }, 'accent'],
    [{ terms_url: 'http://form.test' }, 'terms_url'],
  ] as const) {
    await root.open(path)
    const rejected = await root.send(path, { accent: '#123456', ...entries })
    assert.equal(rejected.status, 400)
    assert.match(rejected.text, new RegExp(`id="${field}-problem"`))
  }
  await root.open(path)
  const saved = await root.send(path, { accent: '#123456', terms_url: ' https://form.test/terms ', privacy_url: '' })
  assert.equal(saved.headers.location, `${path}?done=saved`)
  assert.deepEqual([(await stored()).accent, (await stored()).terms_url], ['#123456', 'https://form.test/terms'])

  await root.open(path)
  await superadmin.call('PUT', `/${id}`, { accent: '#654321' })
  const conflict = await root.send(path, { accent: '#111111', terms_url: '', privacy_url: '' })
  assert.equal(conflict.status, 409)
  assert.match(words(conflict), /Saved in the meantime: #654321/)

  const upload = (bytes: Buffer, page: Reply) => {
    const { form_token = '', version = '' } = hiddenFields(
      page.text.replaceAll(' enctype="multipart/form-data"', ''),
      `${path}/logo`,
    )
    const part = (name: string, bytes: string) => ({
      name,
      bytes,
      head: `Content-Disposition: form-data; name="${name}"`,
    })
    const parts = [
      part('form_token', form_token),
      part('name', 'logo'),
      part('version', version),
      { name: 'picture', bytes },
    ]
    const headers = { ...multipartType, cookie: root.cookie(), 'sec-fetch-site': 'same-origin' }
    return app.post(`${path}/logo`, multipart(parts), { headers })
  }
  const wrong = await upload(svgOf('<script/>'), await root.open(path))
  assert.equal(wrong.status, 400, wrong.text.slice(0, 200))
  assert.match(wrong.text, /id="picture-problem"/)
  const uploaded = await upload(svgOf('<circle r="3"/>', '30 10'), await root.open(path))
  assert.equal(uploaded.headers.location, `${path}?done=saved`)
  assert.equal((await stored()).logo.width, 30)
  assert.match(brandOf(await loginFor('https://form.test')), /alt="Form"/)
  await root.open(path)
  assert.equal((await root.send(path, { reset: 'logo' })).status, 303)
  assert.equal((await stored()).logo, null)

  const staff = await staffOf(app, 'admin')
  assert.equal((await staff.open(path)).status, 403)
  app.clock.advance(2 * hour)
  await root.open(path)
  const stale = await root.send(path, { accent: '#222222' })
  assert.equal(stale.status, 403)
  assert.match(stale.text, /value="#222222"/)
  assert.equal((await upload(svgOf('<circle r="3"/>'), await root.open(path))).status, 403)
})

test('the console previews entries that are not saved, in frames without scripts', async () => {
  const root = await staffOf(app, 'superadmin')
  const api = await superadminOf(app)
  const { id } = await api.create('seen', {
    name: 'Seen',
    return_addresses: ['https://seen.test'],
    accent: '#123456',
    logo: square,
  })
  const path = `/admin/applications/${id}/appearance`
  const page = await root.open(path)
  assert.match(
    page.text,
    new RegExp(`<iframe class="preview" name="preview"[^>]* src="${path}/preview\\?view=light" sandbox>`),
  )
  assert.match(page.text, new RegExp(`<a href="${path}/preview">`))
  assert.match(page.text, /<input type="color" name="accent_picked" value="#123456"/)
  const saved = await root.open(`${path}/preview?view=dark`)
  assert.match(String(saved.headers['content-security-policy']), /sandbox/)
  assert.doesNotMatch(saved.text, /<script/)
  assert.match(brandOf(saved), /alt="Seen"|Seen/)
  assert.match(saved.text, /--accent:#123456/)
  const preview = async (fields: Record<string, string>) => {
    const { form_token = '' } = hiddenFields((await root.open(path)).text, path)
    return root.send(`${path}/preview`, { form_token, view: 'light', accent: '#123456', ...fields })
  }
  assert.match((await preview({ accent: '#005a9c' })).text, /--accent:#005a9c/)
  const picked = await preview({ accent: '#123456', accent_before: '#123456', accent_picked: '#7a1f5c' })
  assert.match(picked.text, /--accent:#7a1f5c/)
  const wrong = await preview({ accent: 'blue', terms_url: 'http://seen.test' })
  assert.match(words(wrong), /Accent colour.*Terms/)
  assert.doesNotMatch((await preview({ accent: '#005a9c', form_token: 'forged' })).text, /--accent:#005a9c/)
  const { data } = (await api.call('GET', `/${id}`)).json
  assert.equal(data.accent, '#123456', 'a preview saves nothing')
  assert.equal((await (await staffOf(app, 'customer')).open(`${path}/preview`)).status, 403)

  await root.open(path)
  await root.send(path, { accent: '#123456', accent_before: '#123456', accent_picked: '#7a1f5c' })
  assert.equal((await api.call('GET', `/${id}`)).json.data.accent, '#7a1f5c')
})
