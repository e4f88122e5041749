import { createElement as h, type ReactNode } from 'react'
import { SignedIn, SignedOut, useSession, WardenryProvider } from '../../../packages/react/src/index.ts'

interface User {
  name: string
}

let tell = () => {}

/** Calls the listeners as the client does after a session change. */
export const changed = (): void => tell()

const client = {
  async currentUser(): Promise<User | null> {
    const reply = await fetch('/me')
    if (!reply.ok) throw new Error(`status ${reply.status}`)
    return reply.json()
  },
  onChange(listener: () => void) {
    tell = listener
    return () => {
      tell = () => {}
    }
  },
}

function Status(): ReactNode {
  const { status, user, refresh } = useSession<User>()
  const text = h('main', {}, user ? `${status} ${user.name}` : status)
  return h('div', {}, text, h('button', { type: 'button', onClick: refresh }, 'Refresh'))
}

/** The application that the server renders and the browser hydrates. */
export const App = ({ initialUser }: { initialUser: User | null | undefined }): ReactNode =>
  h(
    WardenryProvider<User>,
    { client, initialUser },
    h(Status),
    h(SignedIn, {}, h('p', {}, 'for members')),
    h(SignedOut, {}, h('p', {}, 'for strangers')),
  )
