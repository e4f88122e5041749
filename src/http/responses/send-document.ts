import type { FastifyReply, FastifyRequest } from 'fastify'
import { BoundedMap } from '../../lib/bounded-map.ts'
import { sha256 } from '../../lib/hash.ts'
import { minute, second } from '../../lib/time.ts'

export interface TextDocument {
  type: string
  text: string
}

type SendDocument = (request: FastifyRequest, reply: FastifyReply, document: TextDocument) => FastifyReply

/** If-None-Match takes precedence over If-Modified-Since (RFC 9110, 13.2.2). */
export function documentSender(clock: { now(): number }, maxAgeMs = 5 * minute): SendDocument {
  const versions = versionTimes(clock)
  return (request, reply, { type, text }) => {
    const hash = sha256(text).slice(0, 32)
    const etag = `"${hash}"`
    const modified = versions(request.url, hash)
    reply.headers({
      'cache-control': `public, max-age=${maxAgeMs / second}`,
      etag,
      ...(modified !== undefined && { 'last-modified': new Date(modified).toUTCString() }),
    })
    if (isKnown(request.headers, etag, modified)) return reply.code(304).send()
    return reply.header('content-type', `${type}; charset=utf-8`).send(Buffer.from(text))
  }
}

const maxAddresses = 1_000

/** The time is undefined after two changes within one second, because HTTP dates could not distinguish the versions. */
function versionTimes(clock: { now(): number }) {
  const known = new BoundedMap<string, { hash: string; since: number }>({ maxWeight: maxAddresses })
  return (address: string, hash: string): number | undefined => {
    const key = sha256(address)
    const now = Math.floor(clock.now() / second) * second
    const before = known.get(key)
    const since = before?.hash === hash ? before.since : Math.max(now, (before?.since ?? 0) + second)
    known.set(key, { hash, since })
    return since <= now ? since : undefined
  }
}

function isKnown(headers: FastifyRequest['headers'], etag: string, modified: number | undefined): boolean {
  const names = headers['if-none-match']
  if (names !== undefined) return names.split(',').some((one) => ['*', etag, `W/${etag}`].includes(one.trim()))
  const since = httpDate(headers['if-modified-since'])
  return modified !== undefined && since !== undefined && modified <= since
}

const httpDates = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
]

/** Accepts only the three formats of RFC 9110, 5.6.7. */
function httpDate(text: string | undefined): number | undefined {
  if (text === undefined || !httpDates.some((form) => form.test(text))) return undefined
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(time) ? undefined : time
}
