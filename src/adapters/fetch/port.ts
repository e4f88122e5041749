/**
 * Requests to servers of others. Whatever they do, an answer is whole, at most 1 MB, and there within 10 seconds, or the
 * promise rejects with a `FetchFailed`. Redirects are answered as they are, never followed.
 */
export type GuardedFetch = (url: string, request: FetchRequest, policy: FetchPolicy) => Promise<Response>

export interface FetchRequest {
  method?: string | undefined
  headers?: Record<string, string> | undefined
  body?: string | undefined
  signal?: AbortSignal | undefined
}

export interface FetchPolicy {
  /** The only hosts that may be asked, as an address names them: with the port, when it is none of the scheme's own. */
  hosts: readonly string[]
  /**
   * Origins that the operator has written down. They alone may be at an address that is not of the open internet, and
   * speak plain http.
   */
  configured: readonly string[]
}

/** No answer that could be used. The sentence holds no more of the address than its host. */
export class FetchFailed extends Error {}
