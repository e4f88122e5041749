/** Rejects with `FetchFailed` if the response exceeds 1 MB or 10 seconds. Redirects are returned, not followed. */
export type GuardedFetch = (url: string, request: FetchRequest, policy: FetchPolicy) => Promise<Response>

export interface FetchRequest {
  method?: string | undefined
  headers?: Record<string, string> | undefined
  body?: string | undefined
  signal?: AbortSignal | undefined
}

export interface FetchPolicy {
  /** Allowed hosts, with the port unless it is the default. */
  hosts: readonly string[]
  /** Origins from the settings. Only these may have private addresses and use plain http. */
  configured: readonly string[]
}

/** The message contains only the host of the URL. */
export class FetchFailed extends Error {}
