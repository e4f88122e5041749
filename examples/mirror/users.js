const limit = 100

/** Reads users as a support agent, who cannot change anything. Signs in when necessary. */
export function createUserReader({ url, email, password }) {
  let sessionToken

  async function signIn() {
    const reply = await fetch(`${url}/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
      signal: AbortSignal.timeout(10_000),
    })
    const { sessionId, code } = await reply.json()
    if (!reply.ok) throw new Error(`cannot sign in: ${code}`)
    sessionToken = sessionId
  }

  async function search(parameters) {
    if (!sessionToken) await signIn()
    const reply = await fetch(`${url}/auth/users?${new URLSearchParams({ limit, ...parameters })}`, {
      headers: { 'x-session-id': sessionToken },
      signal: AbortSignal.timeout(10_000),
    })
    if (reply.status === 401) sessionToken = undefined
    if (!reply.ok) throw new Error(`cannot read users: ${reply.status}`)
    return (await reply.json()).data.users
  }

  return {
    readUsers: (ids) => search({ id: ids.join() }),

    /**
     * Reads a page of all users, oldest first. A page begins at the creation time of the previous page's last user
     * rather than at an offset, so that no user is missed when others are deleted in the meantime.
     */
    async readPage({ from_time, page }) {
      const from = from_time ? { created_from: from_time } : {}
      const users = await search({ sort: 'created_at', page, ...from })
      const last = users.at(-1)?.created_at ?? from_time
      const next = last === from_time ? { from_time, page: page + 1 } : { from_time: last, page: 1 }
      return { users, next: { ...next, is_complete: users.length < limit ? 1 : 0 } }
    },
  }
}
