import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { boundedQueue } from '../lib/bounded-queue.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import type { EncodeResult } from './encode-process.ts'

export interface EncodedPicture {
  picture: Uint8Array
  thumbnail: Uint8Array
}

export type EncodePicture = (bytes: Buffer) => Promise<EncodedPicture>

export interface EncoderOptions {
  /** Larger pictures are scaled down. */
  maxSide: number
  part: string
  timeLimit?: number
}

const waiting = 8
/** The time within which the process must be ready, in milliseconds. */
const startLimit = 20_000
/** Profile pictures and post images share one queue because encoding them uses the same memory and cores. */
const queue = boundedQueue(1, waiting)

/** The decoders are C libraries that process hostile bytes, so they run in a separate process without secrets. */
export function createEncoder({ maxSide, part, timeLimit = 10_000 }: EncoderOptions): EncodePicture {
  return async (bytes) => {
    assertPicture(bytes, part)
    const encoded = await queue.run(() => encodeApart(bytes, maxSide, timeLimit))
    if ('refused' in encoded) throw invalidField(part, encoded.refused)
    if ('failed' in encoded) throw new AppError('NOT_CONFIGURED', { cause: new Error(encoded.failed) })
    return encoded
  }
}

async function encodeApart(bytes: Buffer, maxSide: number, timeLimit: number): Promise<EncodeResult> {
  const { fork } = await import('node:child_process')
  const stdio = ['pipe', 'ignore', 'ignore', 'ipc'] as const
  const side = `${maxSide}`
  const child = fork(program, [side], { env: {}, execArgv: [], serialization: 'advanced', stdio: [...stdio] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  // Write errors are ignored because the process's exit is detected below.
  child.stdin?.on('error', () => {}).end(bytes)
  const messages = on(child, 'message')
  try {
    if ((await within(startLimit, messages.next(), gone)) === undefined) throw busy()
    const response = await within(timeLimit, messages.next(), gone)
    return response?.value ? (response.value[0] as EncodeResult) : tooMuch
  } finally {
    void messages.return?.()
    child.kill('SIGKILL')
    await gone
  }
}

/** Returns undefined on a timeout, or if the process has exited. */
async function within<Value>(milliseconds: number, awaited: Promise<Value>, gone: Promise<void>) {
  const limit = once(AbortSignal.timeout(milliseconds), 'abort')
  const nothing = () => undefined
  return Promise.race([awaited.catch(nothing), gone.then(nothing), limit.then(nothing)])
}

const tooMuch: EncodeResult = { refused: 'takes too long or too much memory to decode' }
/** The error does not depend on the picture, so the client may retry. */
const busy = () => new AppError('UNAVAILABLE', { retryAfter: 5 })

// The extension is `.ts` in the source tree and `.js` in the bundle.
const program = fileURLToPath(new URL(`./encode-process${import.meta.url.slice(-3)}`, import.meta.url))

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text

/** A picture's format is recognized by its first bytes. File names and declared types are ignored. */
const kinds: Record<string, (bytes: Buffer) => boolean> = {
  jpeg: (bytes) => startsWith(bytes, '\xff\xd8\xff'),
  png: (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n'),
  gif: (bytes) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a'),
  webp: (bytes) => startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8),
}

export function assertPicture(bytes: Buffer, part: string): void {
  if (!Object.values(kinds).some((isKind) => isKind(bytes)))
    throw invalidField(part, 'must be a JPEG, PNG, WebP or GIF picture')
}
