/**
 * Declares the application's client, which determines the type of the user in `useSession`:
 * `declare module '@wardenry/react' { interface Register { client: typeof client } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: applications add the member.
export interface Register {}

export {
  Can,
  type CanProps,
  SignedIn,
  SignedOut,
  useSession,
  WardenryProvider,
  type WardenryProviderProps,
} from './session.ts'
export type { Session, SessionClient } from './session-store.ts'
