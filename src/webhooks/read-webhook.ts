import { isIP } from 'node:net'
import type { Context } from '../context.ts'
import { eventTypes } from '../events/types.ts'
import { isPublicAddress } from '../lib/address.ts'
import { invalidField } from '../lib/errors.ts'

export interface WebhookInput {
  url?: string
  description?: string
  events?: string[]
  enabled?: boolean
  headers?: Record<string, string>
}

export interface WebhookMembers {
  url?: string
  description?: string
  events?: string[]
  is_enabled?: boolean
  headers?: Record<string, string>
}

/** Throws VALIDATION_ERROR with the name of the member. */
export function readWebhook(ctx: Context, input: WebhookInput): WebhookMembers {
  const { url, description, events, enabled, headers } = input
  return {
    ...(url !== undefined && { url: readUrl(ctx, url) }),
    ...(description !== undefined && { description: readLine('description', description) }),
    ...(events !== undefined && { events: readPatterns(events) }),
    ...(enabled !== undefined && { is_enabled: enabled }),
    ...(headers !== undefined && { headers: readHeaders(headers) }),
  }
}

/** The address behind a host name is checked again at each delivery, when the connection is opened. */
function readUrl({ config }: Context, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['https:', 'http:'].includes(url.protocol)) throw invalidField('url', 'must be a URL with https')
  if (url.username || url.password) throw invalidField('url', 'must not contain a user name or password: use a header')
  if (url.hash) throw invalidField('url', 'must not contain a fragment')
  if (config.WEBHOOKS_ALLOW_PRIVATE) return url.href
  if (url.protocol !== 'https:') throw invalidField('url', 'must begin with https')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const isPrivate = isIP(host) === 0 ? /(^|\.)localhost\.?$/i.test(host) : !isPublicAddress(host)
  if (isPrivate) throw invalidField('url', 'must have a public address')
  return url.href
}

function readLine(field: string, text: string): string {
  if (/[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(text) || !text.isWellFormed())
    throw invalidField(field, 'must be one line without control characters')
  return text.trim()
}

function readPatterns(patterns: string[]): string[] {
  const types = [...eventTypes().keys()]
  for (const pattern of patterns) {
    const isKnown = pattern === '*' || types.some((type) => matches(pattern, type))
    if (!isKnown) throw invalidField('events', `contains "${pattern}", which is no type of event, no "user.*" and no "*"`)
  }
  return [...new Set(patterns)]
}

const matches = (pattern: string, type: string): boolean =>
  pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

/** Headers that describe the message or the connection. */
const ownHeaders = /^(webhook-|content-|transfer-|proxy-|x-forwarded-)|^(host|connection|expect|te|trailer|upgrade|user-agent|accept-encoding|keep-alive)$/

const maxHeaders = 10

function readHeaders(headers: Record<string, string>): Record<string, string> {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  if (entries.length > maxHeaders) throw invalidField('headers', `must have at most ${maxHeaders} members`)
  for (const [name, value] of entries) {
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(name)) throw invalidField('headers', 'contains an invalid name')
    if (ownHeaders.test(name)) throw invalidField('headers', `must not contain ${name}, which the service sets`)
    if (!/^[\x21-\x7e]([\x20-\x7e]{0,998}[\x21-\x7e])?$/.test(value))
      throw invalidField('headers', `has a value for ${name} that is not 1 to 1000 printable ASCII characters`)
  }
  return Object.fromEntries(entries)
}
