// Setup: own process
// It lists the child processes of its process.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import sharp from 'sharp'
import { AppError } from '../../src/lib/errors.ts'
import { createEncoder } from '../../src/pictures/encode.ts'
import { problemOfSize } from '../../src/pictures/image-size.ts'
import { drawn } from './support.ts'

const usual = { maxSide: 1024, part: 'picture' }

const little = (number: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntLE(number, 0, bytes)
  return buffer
}
const riffChunk = (id: string, data: Buffer): Buffer =>
  Buffer.concat([Buffer.from(id), little(data.length, 4), data, Buffer.alloc(data.length % 2)])

/**
 * An animation of one-pixel frames. To reach a frame, decoders start from the first one, so a small file takes
 * quadratic time.
 */
async function manyFrames(count: number): Promise<Buffer> {
  const pixel = (await drawn(1, 1).webp({ lossless: true }).toBuffer()).subarray(12)
  const frame = riffChunk('ANMF', Buffer.concat([Buffer.alloc(12), little(100, 3), Buffer.alloc(1), pixel]))
  const header = riffChunk('VP8X', Buffer.concat([little(2, 4), Buffer.alloc(6)]))
  const frames = Array.from({ length: count }, () => frame)
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), header, riffChunk('ANIM', Buffer.alloc(6)), ...frames]))
}

test('a picture that takes too long is refused, and its process is gone', async () => {
  const encode = createEncoder({ ...usual, timeLimit: 1_500 })
  const bomb = await manyFrames(200_000)
  const started = performance.now()
  await assert.rejects(encode(bomb), { code: 'VALIDATION_ERROR' })
  assert.ok(performance.now() - started < 4_000)
  assert.deepEqual(children(), [])
  assert.equal((await sharp((await encode(await drawn(9, 9).png().toBuffer())).picture).metadata()).width, 9)
})

test('one picture at a time is decoded, some wait, and more than those are put off', async () => {
  const encode = createEncoder(usual)
  const picture = await drawn(900, 900).png().toBuffer()
  const outcomes = Array.from({ length: 12 }, () => encode(picture).then(() => 'done', codeOf))
  assert.ok(children().length <= 1)
  const counts = Map.groupBy(await Promise.all(outcomes), (outcome) => outcome)
  assert.deepEqual([counts.get('done')?.length, counts.get('UNAVAILABLE')?.length], [9, 3])
})

test('the process that decodes knows none of our secrets', async () => {
  process.env.CANARY_OF_THE_ENVIRONMENT = 'secret'
  const encoded = createEncoder({ ...usual, timeLimit: 1_500 })(await manyFrames(200_000)).catch(() => {})
  const seen: string[] = []
  for (let round = 0; round < 20 && seen.length === 0; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50))
    seen.push(...children().map((pid) => readFileSync(`/proc/${pid}/environ`, 'utf8')))
  }
  await encoded
  assert.ok(seen.length > 0)
  for (const environment of seen) assert.ok(!environment.includes('CANARY'), environment)
})

const codeOf = (error: unknown): string => (error instanceof AppError ? error.code : String(error))

/** The ids of this process's running child processes. */
const children = (): number[] =>
  readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

test('the process has decoders for four kinds of pictures and for nothing else', async () => {
  const others = {
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'),
    tiff: await drawn(9, 9).tiff().toBuffer(),
    avif: await drawn(9, 9).avif().toBuffer(),
  }
  for (const [kind, bytes] of Object.entries(others)) {
    const stdio = ['pipe', 'ignore', 'ignore', 'ipc'] as const
    const child = fork('src/pictures/encode-process.ts', { serialization: 'advanced', stdio: [...stdio] })
    child.stdin?.end(bytes)
    assert.deepEqual(await once(child, 'message'), ['begins', undefined])
    const [answer] = await once(child, 'message')
    child.kill('SIGKILL')
    assert.deepEqual(Object.keys(answer), ['refused'], kind)
  }
})

test('the size that is too much depends on how a picture is decoded', () => {
  const square = { width: 8192, height: 8192, channels: 4, depth: 'uchar' }
  const fits = [
    { ...square, format: 'jpeg' },
    { ...square, format: 'png', depth: 'ushort' },
    { ...square, format: 'webp' },
    { ...square, format: 'gif' },
    { ...square, format: 'png', isProgressive: true },
    { ...square, format: 'jpeg', isProgressive: true, channels: 3, chromaSubsampling: '4:2:0' },
    { ...square, format: 'jpeg', isProgressive: true, channels: 3, width: 6000, height: 6000 },
  ]
  const tooMuch = [
    { ...square, format: 'jpeg', width: 8193 },
    { ...square, format: 'jpeg', height: 8193 },
    { ...square, format: 'png', isProgressive: true, depth: 'ushort' },
    { ...square, format: 'jpeg', isProgressive: true, channels: 3, chromaSubsampling: '4:4:4' },
    { ...square, format: 'jpeg', isProgressive: true },
  ]
  for (const header of fits) assert.equal(problemOfSize(header), undefined, JSON.stringify(header))
  for (const header of tooMuch) assert.match(problemOfSize(header) ?? '', /^(must be at most|is too large)/)
})
