import { on, once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { boundedQueue } from '../lib/bounded-queue.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import type { Encoded } from './encode-process.ts'
import { assertPicture } from './image-kind.ts'

export interface EncodedPicture {
  picture: Uint8Array
  thumbnail: Uint8Array
}

export type Encode = (bytes: Buffer) => Promise<EncodedPicture>

export interface EncoderOptions {
  /** Of the picture; larger ones are made smaller. */
  longestSide: number
  /** As what it was sent: what is wrong with it is said of this name. */
  part: string
  timeLimit?: number
}

const waiting = 8
/** Milliseconds in which the process has to be ready to decode. */
const startLimit = 20_000
/** Of this process, whatever the pictures are for: memory and cores are one. */
const queue = boundedQueue(1, waiting)

/**
 * Makes WebP files of our own from a picture as somebody sent it. The decoders are C libraries that read hostile bytes:
 * they run one picture at a time, in a process of its own that holds no secret and is killed when it takes too long.
 */
export function createEncoder({ longestSide, part, timeLimit = 10_000 }: EncoderOptions): Encode {
  return async (bytes) => {
    assertPicture(bytes, part)
    const encoded = await queue.run(() => encodeApart(bytes, longestSide, timeLimit))
    if ('refused' in encoded) throw invalidField(part, encoded.refused)
    if ('failed' in encoded) throw new AppError('NOT_CONFIGURED', { cause: new Error(encoded.failed) })
    return encoded
  }
}

async function encodeApart(bytes: Buffer, longestSide: number, timeLimit: number): Promise<Encoded> {
  const { fork } = await import('node:child_process')
  const stdio = ['pipe', 'ignore', 'ignore', 'ipc'] as const
  const side = `${longestSide}`
  const child = fork(program, [side], { env: {}, execArgv: [], serialization: 'advanced', stdio: [...stdio] })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()).once('error', () => resolve()))
  // Whatever keeps it from reading is known by its end.
  child.stdin?.on('error', () => {}).end(bytes)
  const messages = on(child, 'message')
  try {
    if ((await within(startLimit, messages.next(), gone)) === undefined) throw busy()
    const answer = await within(timeLimit, messages.next(), gone)
    return answer?.value ? (answer.value[0] as Encoded) : tooMuch
  } finally {
    void messages.return?.()
    child.kill('SIGKILL')
    await gone
  }
}

/** What is awaited, or undefined when it does not come in so many milliseconds, or the process is gone or never was. */
async function within<Value>(milliseconds: number, awaited: Promise<Value>, gone: Promise<void>) {
  const limit = once(AbortSignal.timeout(milliseconds), 'abort')
  const nothing = () => undefined
  return Promise.race([awaited.catch(nothing), gone.then(nothing), limit.then(nothing)])
}

const tooMuch: Encoded = { refused: 'takes too much to decode' }
/** The machine is to blame, not the picture. */
const busy = () => new AppError('UNAVAILABLE', { retryAfter: 5 })

// The sources run as .ts, the bundle as .js.
const program = fileURLToPath(new URL(`./encode-process${import.meta.url.slice(-3)}`, import.meta.url))
