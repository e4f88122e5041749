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
import { anything, checkOptions, type Members, withFunctions } from './check-options.ts'
import type { Register } from './index.ts'
import { type Session, type SessionClient, type SessionStore, sessionStore } from './session-store.ts'

const StoreContext = createContext<SessionStore<unknown> | undefined>(undefined)

export interface WardenryProviderProps<User> {
  client: SessionClient<User>
  /**
   * The user who was signed in when the server rendered the page, or null if nobody was signed in. If omitted, the
   * status starts as `loading` and the browser requests the user.
   */
  initialUser?: User | null | undefined
  children?: ReactNode | undefined
}

const members: Members<WardenryProviderProps<unknown>> = {
  client: withFunctions('currentUser'),
  initialUser: anything,
  children: anything,
}

/** Provides the sign-in state to the components inside it. */
export function WardenryProvider<User>(props: WardenryProviderProps<User>): ReactElement {
  const { client, initialUser, children } = props
  const [store] = useState(() => {
    checkOptions('WardenryProvider', props, members)
    return sessionStore(client, initialUser)
  })
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

/** The user that `currentUser` of the registered client returns. */
type RegisteredUser = Register extends { client: { currentUser(): Promise<infer User> } }
  ? NonNullable<User>
  : Record<string, unknown>

/** Returns the sign-in state and `refresh`, a function that requests the state again. */
export function useSession<User = RegisteredUser>(): Session<User> & { refresh: () => Promise<void> } {
  const store = useContext(StoreContext) as SessionStore<User> | undefined
  if (!store) throw new Error('useSession requires a <WardenryProvider> above this component')
  const session = useSyncExternalStore(store.subscribe, store.get, store.get)
  return { ...session, refresh: store.refresh }
}

/**
 * Shows its children if the user is signed in. It only hides content: the server must not send anything that the
 * visitor is not permitted to see.
 */
export function SignedIn({ children }: { children?: ReactNode }): ReactNode {
  return useSession().status === 'signed-in' ? children : null
}

/** Shows its children if the visitor is not signed in, but not while the state is loading or unknown. */
export function SignedOut({ children }: { children?: ReactNode }): ReactNode {
  return useSession().status === 'signed-out' ? children : null
}

export interface CanProps {
  /** Such as `invoices:write`. */
  permission: string
  children?: ReactNode
}

/**
 * Shows its children if `permissions` of the signed-in user contains the permission. Like `SignedIn`, it only hides
 * content.
 */
export function Can({ permission, children }: CanProps): ReactNode {
  const permissions = useSession<{ permissions?: unknown }>().user?.permissions
  return Array.isArray(permissions) && permissions.includes(permission) ? children : null
}
