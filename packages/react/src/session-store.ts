/** The visitor's sign-in state, as last reported by the server or the client. */
export type Session<User> =
  | { status: 'loading'; user: undefined }
  | { status: 'signed-in'; user: User }
  | { status: 'signed-out'; user: null }
  /** The first request failed: show neither signed-in nor signed-out content. */
  | { status: 'unknown'; user: undefined }

/** Provides the signed-in user, from the service's client or from a route in your own back end. */
export interface SessionClient<User> {
  /** The user, or null if the visitor is not signed in. Rejects if this cannot be determined. */
  currentUser(): Promise<User | null>
  /**
   * Calls the listener when the session may have changed, in this tab or another. Returns a function that removes the
   * listener.
   */
  onChange?(listener: () => void): () => void
}

export interface SessionStore<User> {
  get(): Session<User>
  subscribe(listener: () => void): () => void
  refresh(): Promise<void>
}

export function sessionStore<User>(
  client: SessionClient<User>,
  initialUser: User | null | undefined,
): SessionStore<User> {
  let session = stateOf(initialUser)
  let latest = 0
  const listeners = new Set<() => void>()
  const set = (next: Session<User>) => {
    session = next
    for (const listener of listeners) listener()
  }
  return {
    get: () => session,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async refresh() {
      const question = ++latest
      try {
        const user = await client.currentUser()
        // Responses can arrive out of order, so only the response to the latest request is used.
        if (question === latest) set(stateOf(user ?? null))
      } catch {
        // The last known state can be kept because the back end checks the session on every request.
        if (question === latest && session.status === 'loading') set({ status: 'unknown', user: undefined })
      }
    },
  }
}

function stateOf<User>(user: User | null | undefined): Session<User> {
  if (user === undefined) return { status: 'loading', user: undefined }
  return user === null ? { status: 'signed-out', user: null } : { status: 'signed-in', user }
}
