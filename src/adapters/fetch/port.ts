/**
 * Rejects with `FetchFailed` if the policy forbids the request, if the request fails, or if it exceeds a limit (by
 * default, 1 MiB per response and 10 seconds). Redirects are not followed.
 */
export type GuardedFetch = (url: string, request: FetchRequest, policy: FetchPolicy) => Promise<Response>

export interface FetchRequest {
  method?: string | undefined
  headers?: Record<string, string> | undefined
  body?: string | undefined
  signal?: AbortSignal | undefined
}

export interface FetchPolicy {
  /** Allowed hosts, each with its port if that is not the default port. */
  hosts: readonly string[]
  /** Origins from the settings. Only these may have private IP addresses or use plain HTTP. */
  configured: readonly string[]
}

/** The message contains the host, but no other part of the URL. */
export class FetchFailed extends Error {}

/** The policy requires https and a public address. */
export class NotPublic extends FetchFailed {}
