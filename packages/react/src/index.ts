export { SignedIn, SignedOut, useSession, WardenryProvider, type WardenryProviderProps } from './session.ts'
export type { Session, SessionClient } from './session-store.ts'
