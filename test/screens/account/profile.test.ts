import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { minute } from '../../../src/lib/time.ts'
import { drawn, multipart, multipartType } from '../../pictures/support.ts'
import { type Reply, startTestApp, type TestApp } from '../../support/test-app.ts'
import { tagsOf, textOf } from '../all-pages.ts'
import type { Visitor } from '../support.ts'
import { memberOf } from './support.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ env: { SMS_WEBHOOK_URL: 'https://sms.example.com/', SMS_WEBHOOK_SECRET: 'x'.repeat(32) } })
})
after(() => app.stop())

const path = '/account/profile'

const profileOf = async (browser: Visitor) =>
  (await app.get('/auth/profile', { headers: { cookie: browser.cookie() } })).json.data

/** The form as a browser submits it: the page's fields with the values that the user entered. */
function filled(html: string, action: string, entered: Record<string, string>): Record<string, string> {
  const form = html.split(`action="${action}"`)[1]?.split('</form>')[0] ?? ''
  const tags = tagsOf(form)
  const inputs = tags.filter(({ name, attributes }) => name === 'input' && attributes.name)
  const selects = [...form.matchAll(/<select id="(\w+)"[\s\S]*?<\/select>/g)].map(([whole, name = '']) => [
    name,
    /<option value="([^"]*)" selected/.exec(whole)?.[1] ?? '',
  ])
  const present = inputs.map(({ attributes }) => [attributes.name, attributes.value ?? ''])
  return { ...Object.fromEntries([...present, ...selects]), ...entered }
}

test('users change their profile, and see it as they entered it', async () => {
  const ada = await memberOf(app)
  const first = await ada.open(path)
  const given = {
    name: 'Ada',
    last_name: 'Lovelace',
    display_name: 'Countess "Ada" <3',
    title: 'Dr.',
    gender: 'female',
    dob: '1990-12-10',
    lang: 'es',
    tmz: 'America/Argentina/Buenos_Aires',
  }
  const saved = await ada.send(path, filled(first.text, path, given))
  assert.deepEqual([saved.status, saved.headers.location], [303, `${path}?done=profile_saved`])
  const { user, lang } = await profileOf(ada)
  assert.deepEqual({ ...user, lang }, { ...user, ...given, user_name: ada.user_name })
  const after = await ada.open(`${path}?done=profile_saved`)
  assert.match(after.text, /<html lang="es"/)
  assert.match(textOf(after.text), /Tu perfil se ha guardado/)
  const { form_token: _formToken, ...shown } = filled(after.text, path, {})
  assert.deepEqual(shown, { ...given, user_name: ada.user_name })
  await ada.send(path, filled(after.text, path, { display_name: '', dob: '', tmz: '' }))
  const { user: cleared } = await profileOf(ada)
  assert.deepEqual([cleared.display_name, cleared.dob, cleared.tmz, cleared.name], [null, null, null, 'Ada'])
})

test('what is wrong is said at its field, keeps what was entered, and saves nothing', async () => {
  const [ada, grace] = [await memberOf(app), await memberOf(app)]
  const { text } = await ada.open(path)
  const wrong = { name: 'Ada', user_name: 'a b', dob: '1890-01-01', tmz: 'Europe/Nowhere' }
  const refused = await ada.send(path, filled(text, path, wrong))
  assert.equal(refused.status, 400)
  for (const field of ['user_name', 'dob', 'tmz']) {
    const tag = tagsOf(refused.text).find(({ attributes }) => attributes.id === field)
    assert.equal(tag?.attributes['aria-invalid'], 'true', field)
    assert.ok(tag?.attributes['aria-describedby']?.endsWith(`${field}-problem`), field)
  }
  assert.equal(filled(refused.text, path, {}).user_name, 'a b')
  assert.match(textOf(refused.text), /Please check the marked fields[\s\S]*Enter a date from 1900 to today/)
  const taken = await ada.send(path, filled(text, path, { user_name: grace.user_name }))
  assert.match(textOf(taken.text), /This user name is already taken/)
  assert.equal((await profileOf(ada)).user.name, '')
  assert.match(
    textOf((await ada.send(path, { ...filled(text, path, {}), form_token: 'x.y' })).text),
    /open for too long/,
  )
})

test('every stored language can be shown, even with extensions', async () => {
  const ada = await memberOf(app, { lang: 'de-t-ja' })
  assert.equal((await profileOf(ada)).lang, 'de')
  const headers = { cookie: ada.cookie(), 'sec-fetch-site': 'same-origin' }
  for (const [lang, kept] of [
    ['en-US-u-ca-buddhist', 'en-US'],
    ['en-x-priv', 'en'],
    ['zh-hant-tw', 'zh-Hant-TW'],
  ] as const) {
    assert.equal((await app.call('PUT', '/auth/profile', { headers, body: { lang } })).status, 200)
    assert.equal((await profileOf(ada)).lang, kept)
    assert.equal((await ada.open(path)).status, 200, lang)
  }
  for (const stored of ['en-US-u-ca-buddhist', 'en-x-priv', 'de-t-ja', 'x', 'no language']) {
    await sql`UPDATE users SET lang = ${stored} WHERE id = ${ada.id}`.execute(app.ctx.db)
    assert.equal((await ada.open(path)).status, 200, stored)
  }
})

test('a number is saved by its own button alone: given again, it would let its owner in', async () => {
  const ada = await memberOf(app)
  const { text } = await ada.open(path)
  assert.match(textOf(text), /To sign in by text message, confirm/)
  assert.match(textOf((await ada.send(`${path}/phone`, { phone: '12' })).text), /with its country code/)
  app.clock.advance(11 * minute)
  await ada.open(path)
  const saved = await ada.send(`${path}/phone`, { phone: '+34 612 345 678' })
  assert.equal(saved.headers.location, `${path}?done=phone_saved`)
  const isTrusted = async () =>
    (await sql<{ phone_trusted: boolean }>`SELECT phone_trusted FROM users WHERE id = ${ada.id}`.execute(app.ctx.db))
      .rows[0]?.phone_trusted
  assert.deepEqual([(await profileOf(ada)).phone, await isTrusted()], ['+34612345678', false])
  await ada.open('/account/confirm?next=/account/profile')
  await ada.send('/account/confirm', { proof: ada.password })
  const page = await ada.open(path)
  await ada.send(path, filled(page.text, path, { name: 'Ada' }))
  assert.equal(await isTrusted(), false)
  await ada.open(path)
  await ada.send(`${path}/phone`, { phone: '+34 612 345 678' })
  assert.equal(await isTrusted(), true)
  await ada.open(path)
  const removed = await ada.send(`${path}/phone`, { phone: ' ' })
  assert.equal((await profileOf(ada)).phone, '')
  assert.match(textOf((await ada.open(removed.headers.location ?? '')).text), /Your phone number was removed/)
})

async function sendPicture(
  browser: Visitor,
  bytes: Uint8Array | string,
  more: { formToken?: string; site?: string } = {},
): Promise<Reply> {
  const { text } = await browser.open(path)
  const formToken =
    more.formToken ?? /action="\/account\/profile\/picture"[^>]*>\s*<input[^>]*value="([^"]+)"/.exec(text)?.[1]
  const field = {
    name: 'form_token',
    bytes: formToken ?? '',
    head: 'Content-Disposition: form-data; name="form_token"',
  }
  const headers = { cookie: browser.cookie(), accept: 'text/html', 'sec-fetch-site': more.site ?? 'same-origin' }
  const body = multipart([field, { name: 'picture', bytes }])
  return app.post(`${path}/picture`, body, { headers: { ...headers, ...multipartType } })
}

test('a picture is sent by a plain form, shown from ourselves, and removed', async () => {
  const ada = await memberOf(app)
  const small = await drawn(80, 60).png().toBuffer()
  const saved = await sendPicture(ada, small)
  assert.deepEqual([saved.status, saved.headers.location], [303, `${path}?done=picture_saved`])
  const { picture } = (await profileOf(ada)).user
  const shown = /<img class="avatar large" src="([^"]+)"/.exec((await ada.open(path)).text)?.[1]
  assert.equal(`${app.ctx.config.PUBLIC_URL}${shown}`, picture)
  assert.equal((await app.get(shown ?? '')).status, 200)

  const rejections: [Reply, number, RegExp][] = [
    [await sendPicture(ada, 'no picture at all'), 400, /Choose a picture: JPEG/],
    [await sendPicture(ada, ''), 400, /Choose a picture: JPEG/],
    [await sendPicture(ada, Buffer.alloc(app.ctx.config.UPLOAD_MAX_BYTES + 1)), 413, /too large/],
    [await sendPicture(ada, small, { formToken: 'x.y' }), 400, /open for too long/],
    [await sendPicture(ada, small, { site: 'cross-site' }), 400, /open for too long/],
  ]
  for (const [refused, status, words] of rejections) {
    assert.equal(refused.status, status)
    assert.match(textOf(refused.text), words)
  }
  assert.equal((await profileOf(ada)).user.picture, picture)

  await ada.open(path)
  assert.equal((await ada.send(`${path}/picture/remove`)).headers.location, `${path}?done=picture_removed`)
  assert.doesNotMatch((await ada.open(path)).text, /picture\/remove/)
  assert.equal((await profileOf(ada)).user.picture, '')
})

/** Sends a form whose body is not complete until `end` is called. */
function slowForm({ cookie }: Visitor, { from = '198.19.7.1', site = 'same-origin' } = {}) {
  const payload = new PassThrough()
  const headers = { cookie: cookie(), accept: 'text/html', 'sec-fetch-site': site, ...multipartType }
  const reply = app.http.inject({ method: 'POST', url: `${path}/picture`, remoteAddress: from, headers, payload })
  return { reply: reply.then(({ statusCode }) => statusCode), end: () => payload.end() }
}

/**
 * Ends all forms once one of them has been rejected because too many uploads were in progress. Returns the statuses.
 */
async function afterRefusal(forms: ReturnType<typeof slowForm>[], meanwhile = async () => {}): Promise<number[]> {
  await Promise.race(forms.map(({ reply }) => reply))
  await meanwhile()
  for (const { end } of forms) end()
  return (await Promise.all(forms.map(({ reply }) => reply))).toSorted()
}

test('slow uploads do not prevent other users from uploading', async () => {
  const [ada, grace] = [await memberOf(app), await memberOf(app)]
  const slow = [1, 2, 3, 4].map((last) => slowForm(ada, { from: `198.19.7.${last}` }))
  const small = await drawn(80, 60).png().toBuffer()
  const statuses = await afterRefusal(slow, async () => {
    assert.equal((await sendPicture(grace, small)).headers.location, `${path}?done=picture_saved`)
  })
  assert.deepEqual(statuses, [400, 503, 503, 503])
})

test('no address holds more than two of the places for pictures', async () => {
  const people = [await memberOf(app), await memberOf(app), await memberOf(app)]
  assert.deepEqual(await afterRefusal(people.map((one) => slowForm(one))), [400, 400, 503])
})

test('a picture that another site sends is refused before it has come', async () => {
  const form = slowForm(await memberOf(app), { site: 'cross-site' })
  assert.equal(await form.reply, 400)
  form.end()
})

test('a picture on another host is not requested', async () => {
  const ada = await memberOf(app, { picture: 'https://example.com/ada.webp' })
  assert.doesNotMatch((await ada.open(path)).text, /example\.com\/ada/)
})

test('without a place for pictures there is no form for them', async () => {
  const plain = await startTestApp({ env: { STORAGE_URL: 'off' } })
  try {
    const ada = await memberOf(plain)
    assert.doesNotMatch((await ada.open(path)).text, /multipart/)
    assert.equal((await ada.send(`${path}/picture`)).status, 404)
  } finally {
    await plain.stop()
  }
})
