import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { cleanUp } from '../../src/jobs/clean-up.ts'
import { hour } from '../../src/lib/time.ts'
import { registered, withSession } from '../support/people.ts'
import { auditOf } from '../support/rows.ts'
import { startS3Double } from '../support/s3-double.ts'
import { bridgeSecret, startTestApp, type TestApp } from '../support/test-app.ts'
import { drawn, keptFiles, multipart, pathOf, upload, uploadBody } from './support.ts'

let app: TestApp
let jpeg: Buffer
before(async () => {
  app = await startTestApp({ env: { PUBLIC_URL: 'https://auth.example.com' } })
  jpeg = await drawn(1600, 1200).jpeg().toBuffer()
})
after(() => app.stop())

/** The bytes at a URL from a response. */
async function fetched(address: string): Promise<Buffer> {
  const reply = await app.http.inject({ method: 'GET', url: pathOf(app, address) })
  assert.equal(reply.statusCode, 200)
  return reply.rawPayload
}

test('a picture is kept as WebP of at most 1024 pixels with a thumbnail, and is that of the user from then on', async () => {
  const ada = await registered(app)
  await app.get('/auth/me', withSession(ada.sessionToken))
  const { status, json, text } = await upload(app, ada.sessionToken, jpeg)
  assert.equal(status, 200, text)
  const { picture_url, thumbnail_url, file_size, original_size, compression_ratio, method, user } = json.data
  assert.match(picture_url, /^https:\/\/auth\.example\.com\/auth\/pictures\/[0-9a-f]{32}\.webp$/)
  assert.equal(thumbnail_url, picture_url.replace('.webp', '-96.webp'))
  assert.deepEqual(json.user, user)
  assert.equal(user.picture, picture_url)
  assert.equal(method, 'local')
  assert.equal(original_size, jpeg.length)
  assert.equal(compression_ratio, `${Math.round((1 - file_size / jpeg.length) * 100)}%`)
  assert.ok(Math.abs(Date.parse(json.timestamp) - app.clock.now()) < 1000)

  const picture = await fetched(picture_url)
  assert.equal(picture.length, file_size)
  const { format, width, height } = await sharp(picture).metadata()
  assert.deepEqual([format, width, height], ['webp', 1024, 768])
  const thumbnail = await sharp(await fetched(thumbnail_url)).metadata()
  assert.deepEqual([thumbnail.format, thumbnail.width, thumbnail.height], ['webp', 96, 96])

  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).json.user.picture, picture_url)
  const bridge = { headers: { 'x-bridge-secret': bridgeSecret } }
  const validated = await app.post('/auth/bridge/validate', { session_id: ada.sessionToken }, bridge)
  assert.equal(validated.json.user.picture, picture_url)
  const [event] = (await auditOf(app, 'picture_changed')).filter(({ target_id }) => target_id === ada.id)
  assert.equal(event?.outcome, 'success')
})

test('every kind that is named is taken, by what it is and not by what it is called', async () => {
  const frames = await Promise.all(['red', 'blue'].map((background) => flat(background).png().toBuffer()))
  const kinds = {
    jpeg,
    png: await drawn(300, 200).png().toBuffer(),
    webp: await drawn(300, 200).webp().toBuffer(),
    gif: await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer(),
    'interlaced png': await drawn(300, 200).png({ progressive: true }).toBuffer(),
    'progressive jpeg': await drawn(300, 200).jpeg({ progressive: true }).toBuffer(),
    'cmyk jpeg': await drawn(300, 200).toColourspace('cmyk').jpeg().toBuffer(),
    'one pixel': await drawn(1, 1).png().toBuffer(),
    'very long': await drawn(8192, 1).png().toBuffer(),
    'the largest': await sharp({ create: { width: 8192, height: 8192, channels: 3, background: 'teal' } })
      .png()
      .toBuffer(),
  }
  const ada = await registered(app)
  for (const [kind, bytes] of Object.entries(kinds)) {
    const reply = await upload(app, ada.sessionToken, bytes)
    assert.equal(reply.status, 200, `${kind}: ${reply.text}`)
    const { format, width = 0, height = 0, pages } = await sharp(await fetched(reply.json.data.picture_url)).metadata()
    assert.equal(format, 'webp', kind)
    assert.ok(Math.max(width, height) <= 1024, kind)
    assert.equal(pages ?? 1, 1, kind)
    if (kind === 'gif') assert.ok(await isRed(await fetched(reply.json.data.picture_url)), 'its first frame')
  }
})

const flat = (background: string) => sharp({ create: { width: 40, height: 30, channels: 3, background } })
const isRed = async (bytes: Buffer) => {
  const { dominant } = await sharp(bytes).stats()
  return dominant.r > 200 && dominant.b < 60
}

test('the orientation is applied, and no metadata is left', async () => {
  const ada = await registered(app)
  const secretPlace = 'somewhere at home'
  const exif = { IFD0: { Artist: secretPlace }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } }
  const turned = await drawn(400, 200)
    .withExif(exif)
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><p>${secretPlace}</p></x:xmpmeta>`)
    .withIccProfile('p3')
    .withMetadata({ orientation: 6, exif })
    .jpeg()
    .toBuffer()
  assert.ok(turned.includes(secretPlace), 'it is in there')
  const { json } = await upload(app, ada.sessionToken, turned)
  for (const address of [json.data.picture_url, json.data.thumbnail_url]) {
    const bytes = await fetched(address)
    assert.ok(!bytes.includes(secretPlace))
    const { exif, xmp, icc, iptc, orientation, width, height } = await sharp(bytes).metadata()
    assert.deepEqual({ exif, xmp, icc, iptc, orientation }, { ...unset })
    assert.ok(address === json.data.thumbnail_url || (width === 200 && height === 400))
  }
})

const unset = { exif: undefined, xmp: undefined, icc: undefined, iptc: undefined, orientation: undefined }

test('a new picture replaces the old one, whose files are gone by the time of the answer', async () => {
  const ada = await registered(app)
  const before = keptFiles(app).length
  const addresses: string[] = []
  for (let round = 0; round < 3; round++)
    addresses.push((await upload(app, ada.sessionToken, jpeg)).json.data.picture_url)
  assert.equal(new Set(addresses).size, 3)
  assert.equal(keptFiles(app).length, before + 2)
  for (const old of addresses.slice(0, 2)) assert.equal((await app.get(pathOf(app, old))).status, 404)
  assert.equal((await app.get(pathOf(app, addresses[2] ?? ''))).status, 200)
})

test('deleting leaves no picture and no file, also when there was none', async () => {
  const ada = await registered(app)
  const before = keptFiles(app)
  const { json } = await upload(app, ada.sessionToken, jpeg)
  for (let round = 0; round < 2; round++) {
    const reply = await app.call('DELETE', '/auth/upload/picture', withSession(ada.sessionToken))
    assert.equal(reply.status, 200)
    const { user, ...top } = reply.json.data
    assert.deepEqual([user.picture, top], ['', user])
  }
  assert.deepEqual(keptFiles(app), before)
  assert.equal((await app.get(pathOf(app, json.data.picture_url))).status, 404)
  assert.equal((await app.get('/auth/me', withSession(ada.sessionToken))).json.user.picture, '')
  const events = (await auditOf(app, 'picture_changed')).filter(({ target_id }) => target_id === ada.id)
  assert.equal(events.length, 2)
})

test('what we answered is accepted back in the profile, and changes nothing', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const mine = (await upload(app, ada.sessionToken, jpeg)).json.data
  const others = (await upload(app, grace.sessionToken, jpeg)).json.data
  const put = (picture: string) =>
    app.call('PUT', '/auth/profile', { ...withSession(ada.sessionToken), body: { picture } })
  for (const picture of [mine.picture_url, mine.thumbnail_url, others.picture_url]) {
    const reply = await put(picture)
    assert.equal(reply.status, 200)
    assert.equal(reply.json.user.picture, mine.picture_url)
  }
  // Another user's picture is not changed.
  await app.call('DELETE', '/auth/upload/picture', withSession(ada.sessionToken))
  assert.equal((await app.get(pathOf(app, others.picture_url))).status, 200)
  assert.equal((await app.get(pathOf(app, mine.picture_url))).status, 404)
})

test('a picture elsewhere, or none, lets the uploaded one go', async () => {
  for (const picture of ['https://example.com/ada.webp', '']) {
    const ada = await registered(app)
    const uploaded = (await upload(app, ada.sessionToken, jpeg)).json.data.picture_url
    const put = await app.call('PUT', '/auth/profile', { ...withSession(ada.sessionToken), body: { picture } })
    assert.equal(put.json.user.picture, picture)
    assert.equal((await app.get(pathOf(app, uploaded))).status, 404)
  }
})

test('the picture moves along when the service gets another address', async () => {
  const ada = await registered(app)
  const { picture_url } = (await upload(app, ada.sessionToken, jpeg)).json.data
  const [row] = await app.ctx.db.selectFrom('users').select('picture').where('id', '=', ada.id).execute()
  assert.equal(row?.picture, pathOf(app, picture_url))
})

test('files that nobody came to use, and those that could not be removed, go with the janitor', async () => {
  const ada = await registered(app)
  const { files } = app.ctx
  const broken = { ...files, remove: () => Promise.reject(new Error('the disk does not answer')) }
  await upload(app, ada.sessionToken, jpeg)
  app.ctx.files = broken
  const { status, json } = await upload(app, ada.sessionToken, jpeg)
  assert.equal(status, 200, 'the change itself is done')
  app.ctx.files = { ...files, put: () => Promise.reject(new Error('the disk is full')) }
  assert.equal((await upload(app, ada.sessionToken, jpeg)).status, 503)
  app.ctx.files = files

  const current = pathOf(app, json.data.picture_url)
  await cleanUp(app.ctx)
  assert.equal(
    (await app.ctx.db.selectFrom('pictures').select('name').where('user_id', '=', ada.id).execute()).length,
    3,
  )
  app.clock.advance(hour + 1000)
  app.ctx.files = broken
  await cleanUp(app.ctx)
  app.ctx.files = files
  await cleanUp(app.ctx)
  const rows = await app.ctx.db.selectFrom('pictures').select('name').where('user_id', '=', ada.id).execute()
  assert.deepEqual(
    rows.map(({ name }) => `/auth/pictures/${name}`),
    [current],
  )
  assert.equal((await app.get(current)).status, 200)
  const inUse = await app.ctx.db.selectFrom('pictures').select('name').where('unused_since', 'is', null).execute()
  assert.equal(keptFiles(app).length, inUse.length * 2)
})

test('whoever is signed out while the file travels changes nothing', async () => {
  const ada = await registered(app)
  const body = multipart([{ name: 'picture', bytes: jpeg }])
  const { files } = app.ctx
  app.ctx.files = {
    ...files,
    put: async (...file) => {
      await app.post('/auth/logout', undefined, withSession(ada.sessionToken))
      await files.put(...file)
    },
  }
  const reply = await uploadBody(app, ada.sessionToken, body)
  app.ctx.files = files
  assert.equal(reply.status, 401)
  const [row] = await app.ctx.db.selectFrom('users').select('picture').where('id', '=', ada.id).execute()
  assert.equal(row?.picture, '')
})

test('one upload at a time for each user; others are not kept waiting by it', async () => {
  const [ada, grace] = [await registered(app), await registered(app, 'grace')]
  const replies = await Promise.all([
    upload(app, ada.sessionToken, jpeg),
    upload(app, ada.sessionToken, jpeg),
    upload(app, grace.sessionToken, jpeg),
  ])
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 200, 503])
  assert.ok(replies.find(({ status }) => status === 503)?.headers['retry-after'])
})

test('with storage switched off there is no upload, and nothing to show', async () => {
  const off = await startTestApp({ env: { STORAGE_URL: 'off' } })
  try {
    const ada = await registered(off)
    const reply = await upload(off, ada.sessionToken, jpeg)
    assert.equal(reply.status, 503)
    assert.equal(reply.json.code, 'NOT_CONFIGURED')
    assert.equal((await off.get(`/auth/pictures/${'a'.repeat(32)}.webp`)).status, 404)
    assert.equal((await off.call('DELETE', '/auth/upload/picture', withSession(ada.sessionToken))).status, 200)
  } finally {
    await off.stop()
  }
})

test('with a bucket the same happens there, and the service serves what it keeps', async (t) => {
  const store = await startS3Double()
  t.after(() => store.stop())
  store.admit({ region: 'us-east-1', accessKeyId: 'AKID', secretAccessKey: 'secret/of+the=store' })
  const address = store.url.replace('http://', `s3://AKID:${encodeURIComponent('secret/of+the=store')}@`)
  const remote = await startTestApp({ env: { STORAGE_URL: `${address}/bucket?tls=false` } })
  t.after(() => remote.stop())
  const ada = await registered(remote)
  const { status, json, text } = await upload(remote, ada.sessionToken, jpeg)
  assert.equal(status, 200, text)
  assert.equal(json.data.method, 's3')
  const path = pathOf(remote, json.data.picture_url)
  const name = path.split('/').at(-1) ?? ''
  assert.deepEqual(
    store.paths().toSorted(),
    [`/bucket/${name.replace('.webp', '-96.webp')}`, `/bucket/${name}`].toSorted(),
  )
  assert.equal((await remote.get(path)).status, 200)
  store.answerWith(503)
  assert.equal((await remote.get(path)).status, 503)
  assert.equal((await upload(remote, ada.sessionToken, jpeg)).status, 503)
  store.answerWith(undefined)
  assert.equal((await remote.get('/auth/me', withSession(ada.sessionToken))).json.user.picture, json.data.picture_url)
  await remote.call('DELETE', '/auth/upload/picture', withSession(ada.sessionToken))
  assert.deepEqual(store.paths(), [])
  assert.ok(
    !remote.logged().includes('secret/of+the=store') &&
      !remote.logged().includes(encodeURIComponent('secret/of+the=store')),
  )
})
