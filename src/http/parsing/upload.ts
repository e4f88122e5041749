import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { AppError, invalidField } from '../../lib/errors.ts'
import { second } from '../../lib/time.ts'
import { boundaryOf, partOf } from './multipart.ts'

/** Slow and stalled uploads are aborted because each upload occupies one of a limited number of slots. */
const uploadTimeoutsMs = { still: 5 * second, whole: 15 * second }

/** Bytes allowed for delimiters, headers and other small parts. */
const overhead = 64 * 1024

/** Call this only after the request has been authorized. Buffers at most `maxBytes` plus `overhead`. */
export async function readUpload(
  request: FastifyRequest,
  name: string,
  maxBytes: number,
  aliases: readonly string[] = [],
): Promise<Buffer> {
  if (boundaryOf(request.headers['content-type']) === undefined)
    throw invalidField(name, 'is required, as a part of multipart/form-data')
  const part = await readParts(request, maxBytes)
  return fileOf((wanted) => part(wanted, aliases), name, maxBytes)
}

export type UploadParts = (name: string, aliases?: readonly string[]) => Buffer

export async function readParts(request: FastifyRequest, maxBytes: number): Promise<UploadParts> {
  const boundary = boundaryOf(request.headers['content-type'])
  if (boundary === undefined) throw invalidField('body', 'must be multipart/form-data')
  const body = await readBody(request.raw, maxBytes + overhead)
  return (name, aliases) => partOf(body, boundary, name, aliases)
}

export function fileOf(part: UploadParts, name: string, maxBytes: number): Buffer {
  const file = part(name)
  if (file.length > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE')
  if (file.length === 0) throw invalidField(name, 'must not be empty')
  return file
}

async function readBody(raw: IncomingMessage, maxBytes: number): Promise<Buffer> {
  try {
    const announced = Number(raw.headers['content-length'] ?? 0)
    if (announced > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE')
    const chunks: Buffer[] = []
    let received = 0
    const parts = raw.iterator({ destroyOnReturn: false })
    const end = performance.now() + uploadTimeoutsMs.whole
    for (;;) {
      const { done, value: chunk } = await within(
        Math.min(uploadTimeoutsMs.still, end - performance.now()),
        parts.next(),
      )
      if (done) break
      received += chunk.length
      if (received > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, received)
  } finally {
    // Discards the rest of the body. If the connection were closed instead, the client could lose the response.
    raw.resume()
  }
}

async function within<Result>(milliseconds: number, work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const error = new AppError('VALIDATION_ERROR', {
      status: 408,
      details: [{ field: 'body', message: 'took too long to arrive' }],
    })
    timer = setTimeout(() => reject(error), Math.max(0, milliseconds))
  })
  // If the time limit is reached first, a later failure of `work` is ignored.
  work.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
