import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { cleanUp } from '../../../src/jobs/clean-up.ts'
import { day, hour } from '../../../src/lib/time.ts'
import { blog } from '../../../src/modules/blog/manifest.ts'
import { assertError } from '../../http/support.ts'
import { drawn, keptFiles, multipart, multipartType, pathOf, upload as uploadPicture } from '../../pictures/support.ts'
import { withSession } from '../../support/people.ts'
import type { Reply, TestApp } from '../../support/test-app.ts'
import { type Author, somebody, startBlog } from './support.ts'

let app: TestApp
let writer: Author
let other: Author
let admin: Author
let picture: Buffer
before(async () => {
  app = await startBlog({ BLOG_TRASH_DAYS: '1' })
  ;[writer, other, admin] = [await somebody(app), await somebody(app), await somebody(app, 'admin')]
  picture = await drawn(120, 80).jpeg().toBuffer()
})
after(() => app.stop())

const path = (id: string) => `/api/v1/posts/id/${id}/featured-image`
const upload = (id: string, author = writer, name = 'image', bytes: Uint8Array | string = picture): Promise<Reply> =>
  app.post(path(id), multipart([{ name, bytes }]), {
    headers: { ...withSession(author.sessionToken).headers, ...multipartType },
  })
const imageOf = async (id: string) => (await writer.read(id)).json.data.featured_image
const fetched = async (address: string) => app.http.inject({ method: 'GET', url: pathOf(app, address) })
const nameOf = (address: string) => address.split('/').at(-1)
const cleaned = () => cleanUp(app.ctx, blog.cleanupJobs)
const pictureRows = () => app.ctx.db.selectFrom('pictures').select('name').execute()

test('an image is kept as WebP without its metadata, and is that of the post, by each name of its part', async () => {
  const id = await writer.write({ status: 'published' })
  const large = await drawn(3000, 1500)
    .withExif({ IFD0: { Artist: 'somebody' } })
    .jpeg()
    .toBuffer()
  const { status, json, text } = await upload(id, writer, 'image', large)
  assert.equal(status, 200, text)
  assert.deepEqual(json, {
    data: { id, featured_image: json.data.featured_image },
    user_context: { authenticated: true, user_type: 'writer' },
    meta: {},
  })
  const reply = await fetched(json.data.featured_image)
  assert.equal(reply.headers['content-type'], 'image/webp')
  const { format, width, height, exif } = await sharp(reply.rawPayload).metadata()
  assert.deepEqual([format, width, height, exif], ['webp', 2400, 1200, undefined])
  assert.equal(await imageOf(id), json.data.featured_image)
  // A small image keeps its size, and only the last image is stored.
  for (const name of ['file', 'featured_image', 'picture']) assert.equal((await upload(id, writer, name)).status, 200)
  const now = await imageOf(id)
  assert.equal((await sharp((await fetched(now)).rawPayload).metadata()).width, 120)
  assert.deepEqual(keptFiles(app), [nameOf(now)])
  assert.equal((await fetched(json.data.featured_image)).statusCode, 404)
  assert.deepEqual(await pictureRows(), [])
  assert.equal((await app.call('DELETE', path(id), withSession(writer.sessionToken))).json.data.featured_image, null)
  assert.deepEqual(keptFiles(app), [])
})

test('the file goes with the image: removed, replaced by an address, purged from the trash or deleted for good', async () => {
  const [removed, replaced, purged, forced] = (await Promise.all([1, 2, 3, 4].map(() => writer.write()))) as string[]
  for (const id of [removed, replaced, purged, forced]) assert.equal((await upload(id!)).status, 200)
  const stays = await writer.write()
  assert.equal((await upload(stays)).status, 200)

  for (let round = 0; round < 2; round++) {
    const reply = await app.call('DELETE', path(removed!), withSession(writer.sessionToken))
    assert.deepEqual([reply.status, reply.json.data], [200, { id: removed, featured_image: null }])
  }
  const elsewhere = 'https://www.example.com/engine.webp'
  await writer.call('PUT', `/${replaced}`, { featured_image: elsewhere })
  assert.equal(await imageOf(replaced!), elsewhere)
  await admin.call('DELETE', `/${forced}?force=true`)
  await writer.call('DELETE', `/${purged}`)
  assert.equal(keptFiles(app).length, 2)
  app.clock.advance(day + hour)
  await cleaned()
  const kept = await imageOf(stays)
  assert.deepEqual(keptFiles(app), [nameOf(kept)])
  // Writing back the value that was read does not change the image.
  await writer.call('PUT', `/${stays}`, { featured_image: kept, title: 'Again' })
  app.clock.advance(2 * hour)
  await cleaned()
  assert.equal(await imageOf(stays), kept)
  assert.equal((await fetched(kept)).statusCode, 200)
  assert.deepEqual(await pictureRows(), [])
})

test('a writer who changes or loses the picture of their own keeps the images of their posts', async () => {
  const author = await somebody(app)
  const id = await author.write()
  await upload(id, author)
  await uploadPicture(app, author.sessionToken, picture)
  await uploadPicture(app, author.sessionToken, picture)
  const image = (await author.read(id)).json.data.featured_image
  await app.ctx.db.deleteFrom('users').where('id', '=', author.id).execute()
  app.clock.advance(2 * hour)
  await cleaned()
  assert.equal((await fetched(image)).statusCode, 200)
})

test('whoever may not change a post, or sends something else than a picture, leaves nothing behind', async () => {
  const id = await writer.write({ status: 'published' })
  const draft = await writer.write()
  const before = keptFiles(app)
  assertError(await upload(id, other), 403, 'FORBIDDEN')
  assertError(await upload(draft, other), 404, 'NOT_FOUND')
  assertError(await app.call('DELETE', path(id), withSession(other.sessionToken)), 403, 'FORBIDDEN')
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'
  for (const [name, bytes] of [
    ['image', svg],
    ['image', ''],
    ['photo', picture],
  ] as const) {
    const [problem] = assertError(await upload(id, writer, name, bytes), 400, 'VALIDATION_ERROR')
    assert.equal(problem?.field, 'image')
  }
  const twice = multipart([
    { name: 'image', bytes: picture },
    { name: 'file', bytes: picture },
  ])
  const headers = { ...withSession(writer.sessionToken).headers, ...multipartType }
  assertError(await app.post(path(id), twice, { headers }), 400, 'VALIDATION_ERROR')
  assertError(await upload(id, writer, 'image', Buffer.alloc(11 * 1024 * 1024)), 413, 'PAYLOAD_TOO_LARGE')
  assert.equal(await imageOf(id), null)
  assert.deepEqual(keptFiles(app), before)
})

test('what is stored and then not used is gone within the hour', async () => {
  const id = await writer.write()
  const before = keptFiles(app).length
  const { put } = app.ctx.files
  // Deletes the post while its image is being uploaded.
  app.ctx.files.put = async (...file) => {
    await put(...file)
    await writer.call('DELETE', `/${id}`)
  }
  try {
    assertError(await upload(id), 404, 'NOT_FOUND')
  } finally {
    app.ctx.files.put = put
  }
  assert.equal(keptFiles(app).length, before + 1)
  app.clock.advance(2 * hour)
  await cleaned()
  assert.equal(keptFiles(app).length, before)
})

test('without a place for files it says so, to those who may ask', async () => {
  const bare = await startBlog({ STORAGE_URL: 'off' })
  try {
    const author = await somebody(bare)
    const id = await author.write()
    const send = (sessionToken: string) =>
      bare.post(path(id), multipart([{ name: 'image', bytes: picture }]), {
        headers: { ...withSession(sessionToken).headers, ...multipartType },
      })
    assertError(await send(author.sessionToken), 503, 'NOT_CONFIGURED')
    assertError(await send((await somebody(bare)).sessionToken), 404, 'NOT_FOUND')
    assert.equal((await bare.call('DELETE', path(id), withSession(author.sessionToken))).status, 200)
  } finally {
    await bare.stop()
  }
})
