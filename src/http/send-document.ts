import type { FastifyReply, FastifyRequest } from 'fastify'
import { sha256 } from '../lib/hash.ts'

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
  if (isKnown(request.headers, etag)) return reply.code(304).send()
  return reply.header('content-type', `${type}; charset=utf-8`).send(Buffer.from(text))
}

/**
 * By its name alone. A time would say too little: what is taken away leaves the newest of what stays as old as it was, and
 * a second may hold more than one change.
 */
const isKnown = (headers: FastifyRequest['headers'], etag: string): boolean =>
  headers['if-none-match']?.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim())) ?? false
