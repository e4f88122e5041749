import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../lib/hash.ts'
import { second } from '../lib/time.ts'

export interface Document {
  type: string
  text: string
  /** Of the newest thing in it; undefined where there is none. */
  modified: Date | undefined
}

/** Sends what anybody may keep for five minutes; or, to those who have it already, only that it is still the same. */
export function sendDocument(request: FastifyRequest, reply: FastifyReply, { type, text, modified }: Document) {
  const etag = `"${sha256(text).slice(0, 32)}"`
  reply.headers({
    'cache-control': 'public, max-age=300',
    etag,
    ...(modified && { 'last-modified': modified.toUTCString() }),
  })
  if (isKnown(request.headers, etag, modified)) return reply.code(304).send()
  return reply.header('content-type', `${type}; charset=utf-8`).send(Buffer.from(text))
}

/** RFC 9110, 13.2.2: who names what they have is not asked for its time. */
function isKnown(headers: FastifyRequest['headers'], etag: string, modified: Date | undefined): boolean {
  const named = headers['if-none-match']
  if (named !== undefined) return named.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()))
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return modified !== undefined && Math.floor(modified.getTime() / second) * second <= since
}
