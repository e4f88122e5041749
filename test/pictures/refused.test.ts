import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { assertError, listen } from '../http/support.ts'
import { registered, type SignedIn } from '../support/people.ts'
import { auditOf, rowCounts } from '../support/rows.ts'
import { startTestApp, type TestApp } from '../support/test-app.ts'
import { boundary, drawn, keptFiles, multipart, multipartType, type Part, upload, uploadBody } from './support.ts'

const most = 200_000

let app: TestApp
let ada: SignedIn
let jpeg: Buffer
before(async () => {
  app = await startTestApp({ env: { UPLOAD_MAX_BYTES: String(most) } })
  ada = await registered(app)
  jpeg = await drawn(300, 200).jpeg().toBuffer()
})
after(() => app.stop())

/** Asserts that a request was rejected and stored only an audit event. */
async function refused(about: string, send: () => ReturnType<typeof upload>, status: number, code: string) {
  const before = { rows: await rowCounts(app), files: keptFiles(app), events: await rejections() }
  const reply = await send()
  const details = assertError(reply, status, code, about)
  assert.deepEqual(await rowCounts(app), before.rows, about)
  assert.deepEqual(keptFiles(app), before.files, about)
  assert.equal((await app.ctx.db.selectFrom('pictures').select('name').execute()).length, 0, about)
  const events = await auditOf(app, 'upload_rejected')
  assert.equal(events.length, before.events + 1, about)
  const event = events.find(({ request_id }) => request_id === reply.headers['x-request-id'])
  assert.equal(event?.target_id, ada.id, about)
  assert.equal(event?.outcome, 'failure', about)
  return details
}

const rejections = async () => (await auditOf(app, 'upload_rejected')).length

const pngChunk = (type: string, data: Buffer): Buffer => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function png(width: number, height: number, { depth = 8, interlaced = false, rows = Buffer.alloc(64) } = {}): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, 6, 0, 0, interlaced ? 1 : 0], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

describe('what is no picture, or too much of one', () => {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><foreignObject><script>alert(1)</script></foreignObject></svg>'
  const html = '<!doctype html><script>alert(1)</script>'

  test('SVG, HTML, and other kinds of files', async () => {
    const tiff = await drawn(20, 20).tiff().toBuffer()
    const avif = await drawn(20, 20).avif().toBuffer()
    const other: Record<string, Uint8Array | string> = {
      svg,
      'svg with a declaration': `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg}`,
      html,
      'html that begins with a byte order mark': `\ufeff${html}`,
      pdf: '%PDF-1.7\n',
      tiff,
      avif,
      bmp: `BM${'\0'.repeat(60)}`,
      text: 'GIF',
      'a picture after other bytes': Buffer.concat([Buffer.from(html), jpeg]),
      one: 'x',
    }
    for (const [kind, bytes] of Object.entries(other)) {
      const details = await refused(kind, () => upload(app, ada.sessionToken, bytes), 400, 'VALIDATION_ERROR')
      assert.deepEqual(details, [{ field: 'picture', message: 'must be a JPEG, PNG, WebP or GIF picture' }], kind)
    }
  })

  test('files that begin like a picture and are none', async () => {
    const beginnings = ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF89a', 'GIF87a', 'RIFF\x00\x00\x00\x00WEBP']
    for (const beginning of beginnings) {
      for (const rest of ['', html, svg, '\0'.repeat(5_000)]) {
        const bytes = Buffer.from(beginning + rest, 'latin1')
        await refused(beginning + rest.slice(0, 8), () => upload(app, ada.sessionToken, bytes), 400, 'VALIDATION_ERROR')
      }
    }
  })

  test('pictures that end too early', async () => {
    const whole = {
      jpeg,
      'progressive jpeg': await drawn(300, 200).jpeg({ progressive: true }).toBuffer(),
      png: await drawn(300, 200).png().toBuffer(),
      webp: await drawn(300, 200).webp().toBuffer(),
      gif: await drawn(300, 200).gif().toBuffer(),
    }
    for (const [kind, bytes] of Object.entries(whole)) {
      for (const part of [0.02, 0.3, 0.6]) {
        const cut = bytes.subarray(0, Math.floor(bytes.length * part))
        await refused(`${kind} ${part}`, () => upload(app, ada.sessionToken, cut), 400, 'VALIDATION_ERROR')
      }
    }
  })

  test('dimensions that nobody needs, by the header alone', async () => {
    for (const [width, height] of [
      [8193, 1],
      [1, 8193],
      [100_000, 100_000],
      [2 ** 31 - 1, 2 ** 31 - 1],
      [0, 0],
    ] as const) {
      const started = process.cpuUsage()
      const about = `${width} × ${height}`
      await refused(about, () => upload(app, ada.sessionToken, png(width, height)), 400, 'VALIDATION_ERROR')
      assert.ok(process.cpuUsage(started).user < 2_000_000, about)
    }
    const [problem] = await refused('8193', () => upload(app, ada.sessionToken, png(8193, 1)), 400, 'VALIDATION_ERROR')
    assert.equal(problem?.message, 'must be at most 8192 × 8192 pixels')
  })

  test('a few bytes that ask for half a gigabyte', async () => {
    const bomb = png(8192, 8192, { depth: 16, interlaced: true })
    const [problem] = await refused('interlaced', () => upload(app, ada.sessionToken, bomb), 400, 'VALIDATION_ERROR')
    assert.match(problem?.message ?? '', /^is too large for this image type/)
  })

  test('a picture that is a page at the same time is served as neither', async () => {
    const both = Buffer.concat([jpeg, Buffer.from(html)])
    const reply = await upload(app, ada.sessionToken, both)
    assert.equal(reply.status, 200)
    const { rawPayload, headers } = await app.http.inject(new URL(reply.json.data.picture_url).pathname)
    assert.equal(headers['content-type'], 'image/webp')
    assert.equal((await sharp(rawPayload).metadata()).format, 'webp')
    assert.ok(!rawPayload.includes('script'))
    await app.call('DELETE', '/auth/upload/picture', { headers: { 'x-session-id': ada.sessionToken } })
  })
})

describe('what is no upload', () => {
  const part: Part = { name: 'picture', bytes: '' }
  const picture = () => ({ ...part, bytes: jpeg })
  const named = (head: string): Part => ({ ...picture(), head })

  test('no part, a wrong one, two of them, an empty one', async () => {
    const bodies: Record<string, [Part[], field: string]> = {
      none: [[], 'picture'],
      'another name': [[{ ...picture(), name: 'file' }], 'picture'],
      'another case': [[{ ...picture(), name: 'Picture' }], 'picture'],
      'its name only in the name of the file': [
        [named('Content-Disposition: form-data; name="x"; filename="a; name=picture; .jpg"')],
        'picture',
      ],
      'no name': [[named('Content-Disposition: form-data; filename="picture"')], 'picture'],
      'no head': [[named('')], 'picture'],
      two: [[picture(), picture()], 'picture'],
      'two with another between them': [[picture(), { name: 'note', bytes: 'x' }, picture()], 'picture'],
      empty: [[part], 'picture'],
      'too many others': [Array.from({ length: 30 }, () => ({ name: 'note', bytes: 'x' })), 'body'],
    }
    for (const [about, [parts, field]] of Object.entries(bodies)) {
      const send = () => uploadBody(app, ada.sessionToken, multipart(parts))
      const details = await refused(about, send, 400, 'VALIDATION_ERROR')
      assert.deepEqual(
        details.map((problem) => problem.field),
        [field],
        about,
      )
    }
  })

  test('a body of another type, or of none', async () => {
    const as = (type: string, body: string | Buffer) => () =>
      uploadBody(app, ada.sessionToken, Buffer.from(body), { 'content-type': type })
    await refused('no boundary', as('multipart/form-data', multipart([picture()])), 400, 'VALIDATION_ERROR')
    await refused(
      'empty boundary',
      as('multipart/form-data; boundary=""', multipart([picture()])),
      400,
      'VALIDATION_ERROR',
    )
    const long = `multipart/form-data; boundary=${'a'.repeat(71)}`
    await refused('long boundary', as(long, multipart([picture()])), 400, 'VALIDATION_ERROR')
    const json = assertError(await as('application/json', '{"picture":"x"}')(), 415, 'UNSUPPORTED_MEDIA_TYPE')
    assert.deepEqual(json, [])
    for (const type of ['image/jpeg', 'multipart/mixed; boundary=x', 'text/plain'])
      assertError(await as(type, jpeg)(), 415, 'UNSUPPORTED_MEDIA_TYPE', type)
    assertError(await as('application/x-www-form-urlencoded', 'picture=x')(), 415, 'UNSUPPORTED_MEDIA_TYPE')
  })

  test('broken boundaries', async () => {
    const whole = multipart([picture()])
    const bodies = {
      'not a word of it': Buffer.from('nothing'),
      'nothing at all': Buffer.alloc(0),
      'cut in the head': whole.subarray(0, 40),
      'cut in the picture': whole.subarray(0, 500),
      'cut before its end': whole.subarray(0, -boundary.length),
      'another boundary': Buffer.from(whole.toString('latin1').replaceAll(boundary, 'another'), 'latin1'),
      'bare line feeds': Buffer.from(
        multipart([{ ...part, bytes: 'x' }])
          .toString('latin1')
          .replaceAll('\r', ''),
        'latin1',
      ),
      'a head without an end': Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="picture"\r\n--${boundary}--`,
      ),
      'a head of many bytes': multipart([
        named(`Content-Disposition: form-data; name="picture"\r\nX: ${'x'.repeat(9_000)}`),
      ]),
    }
    for (const [about, body] of Object.entries(bodies))
      await refused(about, () => uploadBody(app, ada.sessionToken, body), 400, 'VALIDATION_ERROR')
  })

  test('names of files mean nothing, whatever they are', async () => {
    for (const name of [
      '../../../etc/passwd',
      '..\\..\\x.exe',
      '/etc/cron.d/x',
      'a\0.php',
      'ü'.repeat(300),
      'x.svg',
      '',
    ]) {
      const head = `Content-Disposition: form-data; name="picture"; filename="${name}"\r\nContent-Type: image/svg+xml`
      const reply = await uploadBody(app, ada.sessionToken, multipart([named(head)]))
      assert.equal(reply.status, 200, name)
      assert.match(reply.json.data.picture_url, /\/auth\/pictures\/[0-9a-f]{32}\.webp$/)
      for (const file of keptFiles(app)) assert.match(file, /^[0-9a-f]{32}(-96)?\.webp$/)
    }
    await app.call('DELETE', '/auth/upload/picture', { headers: { 'x-session-id': ada.sessionToken } })
    assert.deepEqual(keptFiles(app), [])
    await app.ctx.db.deleteFrom('pictures').execute()
  })

  test('other small parts around the picture are ignored', async () => {
    const parts = [{ name: 'note', bytes: 'hi' }, picture(), { name: 'crop', bytes: '{}' }]
    assert.equal((await uploadBody(app, ada.sessionToken, multipart(parts))).status, 200)
    await app.call('DELETE', '/auth/upload/picture', { headers: { 'x-session-id': ada.sessionToken } })
  })

  test('multipart is for this route only', async () => {
    const headers = { 'x-session-id': ada.sessionToken, ...multipartType }
    for (const [method, url] of [
      ['POST', '/auth/login'],
      ['PUT', '/auth/profile'],
      ['DELETE', '/auth/upload/picture'],
      ['POST', '/auth/token/verify'],
    ] as const) {
      const reply = await app.call(method, url, { headers, body: multipart([picture()]) })
      assertError(reply, 415, 'UNSUPPORTED_MEDIA_TYPE', `${method} ${url}`)
    }
  })
})

describe('too many bytes', () => {
  test('one more than the limit is refused, the limit itself is not', async () => {
    const filled = (bytes: number) => Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length)])
    assert.equal((await upload(app, ada.sessionToken, filled(most))).status, 200)
    await app.call('DELETE', '/auth/upload/picture', { headers: { 'x-session-id': ada.sessionToken } })
    await refused('one more', () => upload(app, ada.sessionToken, filled(most + 1)), 413, 'PAYLOAD_TOO_LARGE')
    await refused('many more', () => upload(app, ada.sessionToken, Buffer.alloc(2_000_000)), 413, 'PAYLOAD_TOO_LARGE')
  })

  const head = (more: string) =>
    `POST /auth/upload/picture HTTP/1.1\r\nHost: x\r\nX-Session-ID: ${ada.sessionToken}\r\nContent-Type: ${multipartType['content-type']}\r\n${more}\r\n\r\n`

  test('announced: the answer comes at once, and the connection goes on', async () => {
    const send = await listen(app)
    const body = multipart([{ name: 'picture', bytes: Buffer.alloc(3_000_000) }]).toString('latin1')
    const next = 'GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const answers = await send(`${head(`Content-Length: ${body.length}`)}${body}${next}`)
    assert.match(answers, /^HTTP\/1\.1 413 /)
    assert.match(answers, /HTTP\/1\.1 200 OK[\s\S]*"ok"/)
  })

  test('not announced: it is noticed while they come', async () => {
    const send = await listen(app)
    const chunk = `${(50_000).toString(16)}\r\n${'x'.repeat(50_000)}\r\n`
    const answer = await send(`${head('Transfer-Encoding: chunked\r\nConnection: close')}${chunk.repeat(40)}0\r\n\r\n`)
    assert.match(answer, /^HTTP\/1\.1 413 /)
    assert.match(answer, /"PAYLOAD_TOO_LARGE"/)
  })

  test('one that stands still is given up, and its place is free again', async () => {
    const send = await listen(app)
    const started = performance.now()
    const answer = await send(`${head(`Content-Length: ${most}\r\nConnection: close`)}--${boundary}`)
    assert.match(answer, /^HTTP\/1\.1 408 /)
    assert.ok(performance.now() - started < 9_000)
    assert.equal((await upload(app, ada.sessionToken, jpeg)).status, 200)
    await app.call('DELETE', '/auth/upload/picture', { headers: { 'x-session-id': ada.sessionToken } })
  })

  test('no address holds more than two places', async () => {
    const people = await Promise.all((['grace', 'alan', 'ada'] as const).map((name) => registered(app, name)))
    const body = multipart([{ name: 'picture', bytes: jpeg }])
    const replies = await Promise.all(
      people.map(({ sessionToken }) =>
        app.post('/auth/upload/picture', body, {
          from: '198.19.5.5',
          headers: { 'x-session-id': sessionToken, ...multipartType },
        }),
      ),
    )
    assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 503])
    for (const { sessionToken } of people)
      await app.call('DELETE', '/auth/upload/picture', { headers: { 'x-session-id': sessionToken } })
  })

  test('nothing is read of an upload whose sender may not', async () => {
    const send = await listen(app)
    const request = head(`Content-Length: ${most}\r\nConnection: close`).replace(ada.sessionToken, 'ses_nobody')
    assert.match(await send(request), /^HTTP\/1\.1 401 /)
  })
})
