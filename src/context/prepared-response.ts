/** A bridge response for a credential of any kind, without the members that depend on the request. */
export interface PreparedResponse {
  /** JSON text, to which the other members and the closing brace are added. */
  readonly text: string
  /** Identifies the content, without the times of last use and expiry. */
  readonly tag: string
  /** Replaces the content if the caller already has it. */
  readonly times: string
  /** Further members for callers with a cache, each preceded by a comma. */
  readonly more: string
}
