/**
 * Requests to external servers. Responses are complete, at most 1 MB and within 10 seconds; otherwise the promise
 * rejects with `FetchFailed`. Redirects are returned, not followed.
 */
export type GuardedFetch = (url: string, request: FetchRequest, policy: FetchPolicy) => Promise<Response>

export interface FetchRequest {
  method?: string | undefined
  headers?: Record<string, string> | undefined
  body?: string | undefined
  signal?: AbortSignal | undefined
}

export interface FetchPolicy {
  /** The only allowed hosts, with a non-default port. */
  hosts: readonly string[]
  /** Origins from the settings. Only these may be at private addresses and use plain http. */
  configured: readonly string[]
}

/** The message contains no more of the address than its host. */
export class FetchFailed extends Error {}
