import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { AppError, invalidField } from '../lib/errors.ts'
import { boundaryOf, partOf } from './multipart.ts'

/** For delimiters, heads and small other parts. */
const overhead = 64 * 1024

/** The file that an upload brings, as the part of this name. Nothing of the body was read before, and never too much is. */
export async function readUpload(request: FastifyRequest, name: string, maxBytes: number): Promise<Buffer> {
  const boundary = boundaryOf(request.headers['content-type'])
  if (boundary === undefined) throw invalidField(name, 'is required, as a part of multipart/form-data')
  const file = partOf(await readBody(request.raw, maxBytes + overhead), boundary, name)
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
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
      received += chunk.length
      if (received > maxBytes) throw new AppError('PAYLOAD_TOO_LARGE')
      chunks.push(chunk)
    }
    return Buffer.concat(chunks, received)
  } finally {
    // Whoever still sends gets to read the answer: a connection that we closed under them would lose it. The time
    // limit of the request bounds how much is thrown away.
    raw.resume()
  }
}
