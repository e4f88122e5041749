import type { FetchPolicy } from '../adapters/fetch/port.ts'
import type { Context } from '../context.ts'
import { claimsOf } from './read-members.ts'

export type ProviderFetch = (url: string, init: FetchInit) => Promise<Response>

interface FetchInit {
  method: string
  headers: Record<string, string> | Headers
  body?: unknown
  signal?: AbortSignal
}

const addresses = new WeakMap<Response, string>()

/** The URL without its query, which can contain secrets. */
export const responseAddress = (reply: Response): string | undefined => addresses.get(reply)

export const providerFetch =
  (ctx: Context, policy: FetchPolicy): ProviderFetch =>
  async (url, { method, headers, body, signal }) => {
    const request = {
      method,
      headers: Object.fromEntries(new Headers(headers)),
      body: body === undefined || body === null ? undefined : String(body),
      signal: signal ?? undefined,
    }
    const reply = await ctx.fetch(url, request, policy)
    const { origin, pathname } = new URL(url)
    addresses.set(reply, origin + pathname)
    return withBody(reply, usualSpelling)
  }

/** Replaces the body of a JSON object. Other responses are returned as they are. */
export async function withBody(reply: Response, change: (body: object) => object): Promise<Response> {
  const { status, headers } = reply
  const text = await reply.text()
  const copy = new Response(text === '' ? null : changed(text, change), { status, headers })
  const address = addresses.get(reply)
  if (address !== undefined) addresses.set(copy, address)
  return copy
}

function changed(text: string, change: (body: object) => object): string {
  try {
    const body: unknown = JSON.parse(text.replace(/^\ufeff/, ''))
    return JSON.stringify(typeof body === 'object' && body !== null && !Array.isArray(body) ? change(body) : body)
  } catch {
    return text
  }
}

/** Some providers send `null` for absent members, and scopes as a list. The library accepts neither. */
function usualSpelling(body: object): object {
  const { scope, ...rest } = claimsOf(body)
  const members = { ...rest, scope: Array.isArray(scope) ? scope.join(' ') : scope }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined))
}
