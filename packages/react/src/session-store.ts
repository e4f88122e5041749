/** Who is signed in, as far as this page knows. */
export type Session<User> =
  | { status: 'loading'; user: undefined }
  | { status: 'signed-in'; user: User }
  | { status: 'signed-out'; user: null }
  /** The first question had no answer: show neither what signed-in people see, nor what others see. */
  | { status: 'unknown'; user: undefined }

/** Where a page asks who is signed in: the client of the service, or a route of your own back end. */
export interface SessionClient<User> {
  /** The user, or null when nobody is signed in. Rejects when nobody can say. */
  currentUser(): Promise<User | null>
  /** Calls the listener when the session may have changed, also in another tab. Gives the function that ends this. */
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
        // An earlier question may be answered later.
        if (question === latest) set(stateOf(user ?? null))
      } catch {
        // What was known is still the best guess; the service decides about every request anyway.
        if (question === latest && session.status === 'loading') set({ status: 'unknown', user: undefined })
      }
    },
  }
}

function stateOf<User>(user: User | null | undefined): Session<User> {
  if (user === undefined) return { status: 'loading', user: undefined }
  return user === null ? { status: 'signed-out', user: null } : { status: 'signed-in', user }
}
