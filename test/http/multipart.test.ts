import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { boundaryOf, partOf } from '../../src/http/parsing/multipart.ts'
import { AppError } from '../../src/lib/errors.ts'

test('the boundary is read as RFC 2046 writes it, and of no other type', () => {
  const whole: [string, string][] = [
    ['multipart/form-data; boundary=abc', 'abc'],
    ['Multipart/Form-Data;Boundary="a b:c"', 'a b:c'],
    ['multipart/form-data; charset=utf-8; boundary=----WebKitFormBoundaryA1', '----WebKitFormBoundaryA1'],
    ['multipart/form-data; x="boundary=no"; boundary=yes; boundary=twice', 'yes'],
  ]
  for (const [type, boundary] of whole) assert.equal(boundaryOf(type), boundary, type)
  for (const type of [
    undefined,
    '',
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=""',
    'multipart/mixed; boundary=abc',
    'application/json; boundary=abc',
    `multipart/form-data; boundary=${'a'.repeat(71)}`,
  ])
    assert.equal(boundaryOf(type), undefined, String(type))
})

/** The body that `fetch` would send. */
async function sent(parts: [name: string, bytes: Uint8Array<ArrayBuffer>, file: string | undefined][]) {
  const form = new FormData()
  for (const [name, bytes, file] of parts)
    file === undefined
      ? form.append(name, Buffer.from(bytes).toString('hex'))
      : form.append(name, new Blob([bytes]), file)
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return { type: request.headers.get('content-type') ?? '', body: Buffer.from(await request.arrayBuffer()) }
}

const anyBytes = fc.uint8Array({ maxLength: 300 }).map((bytes) => Uint8Array.from(bytes))
const anyName = fc.string({ unit: 'grapheme', maxLength: 20 }).filter((name) => !/picture/i.test(name))

test('the part of a name is found between any others, byte for byte', async () => {
  const others = fc.array(fc.tuple(anyName, anyBytes, fc.option(anyName, { nil: undefined })), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(others, others, anyBytes, anyName, async (before, after, bytes, file) => {
      const { type, body } = await sent([...before, ['picture', bytes, file], ...after])
      assert.deepEqual(new Uint8Array(partOf(body, boundaryOf(type) ?? '', 'picture')), bytes)
    }),
  )
})

test('what stands before the first part and after the last one is not looked at', () => {
  const part = 'Content-Disposition: form-data; name="picture"\r\n\r\nbytes'
  for (const [before, after] of [
    ['', ''],
    ['\r\n', '\r\n'],
    [
      'this is a preamble\r\n',
      '\r\nand this an epilogue\r\n--b\r\nContent-Disposition: form-data; name="picture"\r\n\r\n',
    ],
  ]) {
    const body = Buffer.from(`${before}--b\r\n${part}\r\n--b--${after}`)
    assert.equal(partOf(body, 'b', 'picture').toString(), 'bytes')
  }
})

test('whatever bytes arrive, the answer is a part or a rejection, soon', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '--b',
      '\r\n--b',
      '\r\n',
      '--',
      '\r\n\r\n',
      'Content-Disposition: form-data; name="picture"',
      ';',
      '"',
    ),
    fc.string({ maxLength: 10 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const body = Buffer.from(pieces.join(''))
      try {
        assert.ok(partOf(body, 'b', 'picture').length <= body.length)
      } catch (error) {
        assert.ok(error instanceof AppError && error.status === 400, String(error))
      }
    }),
    { numRuns: 2_000 },
  )
})

test('ten million bytes of the smallest parts, or of one endless head, cost next to nothing', () => {
  const bodies = [
    '--b\r\n\r\n\r\n'.repeat(1_000_000),
    `--b\r\n${'x:'.repeat(5_000_000)}`,
    `--b\r\nContent-Disposition: form-data${'; a=b'.repeat(1_500)}; name="${'\\"'.repeat(300)}\r\n\r\n\r\n--b--`,
    '\r\n--'.repeat(2_500_000),
  ]
  for (const body of bodies) {
    const bytes = Buffer.from(body)
    const started = performance.now()
    assert.throws(() => partOf(bytes, 'b', 'picture'), AppError)
    assert.ok(performance.now() - started < 250, body.slice(0, 20))
  }
})
