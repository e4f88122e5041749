import {
  createContext,
  createElement,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react'
import { type Session, type SessionClient, type SessionStore, sessionStore } from './session-store.ts'

const StoreContext = createContext<SessionStore<unknown> | undefined>(undefined)

export interface WardenryProviderProps<User> {
  client: SessionClient<User>
  /**
   * What the server that rendered the page knows: the user, or null when nobody is signed in. Without it the first
   * rendering is `loading`, and the client is asked in the browser.
   */
  initialUser?: User | null | undefined
  children?: ReactNode
}

/** Tells everything below it who is signed in. */
export function WardenryProvider<User>({ client, initialUser, children }: WardenryProviderProps<User>): ReactElement {
  const [store] = useState(() => sessionStore(client, initialUser))
  useEffect(() => {
    const refresh = () => void store.refresh()
    const refreshVisible = () => document.visibilityState === 'visible' && refresh()
    if (store.get().status === 'loading') refresh()
    document.addEventListener('visibilitychange', refreshVisible)
    const stop = client.onChange?.(refresh)
    return () => {
      document.removeEventListener('visibilitychange', refreshVisible)
      stop?.()
    }
  }, [store, client])
  return createElement(StoreContext.Provider, { value: store as SessionStore<unknown> }, children)
}

/** Who is signed in, and `refresh`, which asks again. */
export function useSession<User = Record<string, unknown>>(): Session<User> & { refresh: () => Promise<void> } {
  const store = useContext(StoreContext) as SessionStore<User> | undefined
  if (!store) throw new Error('useSession: there is no <WardenryProvider> above this component')
  const session = useSyncExternalStore(store.subscribe, store.get, store.get)
  return { ...session, refresh: store.refresh }
}

/** Its children are shown to signed-in people. What others must not see, the server must not send. */
export function SignedIn({ children }: { children?: ReactNode }): ReactNode {
  return useSession().status === 'signed-in' ? children : null
}

/** Its children are shown when nobody is signed in; not while that is loading or unknown. */
export function SignedOut({ children }: { children?: ReactNode }): ReactNode {
  return useSession().status === 'signed-out' ? children : null
}
