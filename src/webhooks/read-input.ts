import type { Config } from '../config/load.ts'
import { eventTypes } from '../events/types.ts'
import { hasPrivateAddress } from '../lib/address.ts'
import { invalidField } from '../lib/errors.ts'
import type { Header } from '../lib/header-lines.ts'
import { readPresent } from '../lib/read-all.ts'
import { lineField } from '../users/fields.ts'

export interface WebhookInput {
  url?: string
  description?: string
  events?: string[]
  enabled?: boolean
  headers?: Header[]
}

/** Throws VALIDATION_ERROR with all problems. */
export const readWebhook = (config: Config, input: WebhookInput) =>
  readPresent((read) => ({
    url: read(input.url, (text) => readUrl(config, text)),
    description: read(input.description, (text) => lineField('description', text, maxDescription)),
    events: read(input.events, readPatterns),
    is_enabled: input.enabled,
    headers: read(input.headers, readHeaders),
  }))

export const maxDescription = 200

/** At each delivery, the IP address of the host is checked when the connection is opened. */
function readUrl(config: Config, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['https:', 'http:'].includes(url.protocol)) throw invalidField('url', 'must be an https URL')
  if (url.username || url.password) throw invalidField('url', 'must not contain a user name or password: use a header')
  if (url.hash) throw invalidField('url', 'must not contain a fragment')
  if (config.EVENT_ALLOW_PRIVATE_HOSTS) return url.href
  if (url.protocol !== 'https:') throw invalidField('url', 'must begin with https')
  const isPrivate = hasPrivateAddress(url) || /(^|\.)localhost\.?$/.test(url.hostname)
  if (isPrivate) throw invalidField('url', 'must have a public address')
  return url.href
}

function readPatterns(patterns: string[]): string[] {
  const types = [...eventTypes().keys()]
  const unknown = patterns.find((pattern) => pattern !== '*' && !types.some((type) => matches(pattern, type)))
  if (unknown !== undefined)
    throw invalidField('events', 'must contain types of events, groups such as user.*, or * for all events')
  return [...new Set(patterns)]
}

const matches = (pattern: string, type: string): boolean =>
  pattern === type || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))

/** Headers that the service, the connection or a proxy sets. */
const reserved =
  /^(webhook-.*|content-.*|transfer-.*|proxy-.*|x-forwarded-.*|forwarded|host|connection|expect|te|trailer|upgrade|user-agent|accept-encoding|keep-alive)$/

export const maxHeaders = 10
export const maxHeaderValue = 1_000

function readHeaders(headers: Header[]): Header[] {
  if (headers.length > maxHeaders) throw invalidField('headers', `must not contain more than ${maxHeaders} headers`)
  const names = new Set<string>()
  for (const { name: given, value } of headers) {
    const name = given.toLowerCase()
    // RFC 9110, section 5.6.2
    if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,64}$/.test(name)) throw invalidField('headers', 'contains an invalid name')
    if (reserved.test(name)) throw invalidField('headers', `must not contain ${name}, which the service sets`)
    if (names.has(name)) throw invalidField('headers', `contains ${name} twice`)
    if (!/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(value))
      throw invalidField('headers', `has a value for ${name} that is not printable ASCII`)
    if (value.length > maxHeaderValue)
      throw invalidField('headers', `has a value for ${name} of more than ${maxHeaderValue} characters`)
    names.add(name)
  }
  return headers.map(({ name, value }) => ({ name: name.toLowerCase(), value }))
}
