import type { BridgeRight, StoredLogo } from '../db/rows/applications.ts'

/** The owner of all applications together in `session_revocations`. Also in 014_applications.sql. */
export const allApplications = 'a0000000-0000-4000-8000-000000000001'

/** An application that is stored in the database, as nodes keep it in memory. */
export interface Application {
  readonly id: string
  readonly key: string
  /** False also for deleted applications, whose addresses stay taken until they are erased. */
  readonly isEnabled: boolean
  /** Return addresses without a path, in the form in which sessions contain their application. */
  readonly wholeOrigins: readonly string[]
  /** The ids of other applications whose sessions this one accepts. */
  readonly accepts: readonly string[]
  /** The accepted ways to sign in. Empty: all that the settings allow. */
  readonly signInMethods: readonly string[]
  /** Whether users may register on the way to the application, if the settings allow it. */
  readonly registration: boolean
  /** The demands on requests that a gateway forwards with the visitor's path. Null: a session. */
  readonly gateway?: GatewayDemands | null
  /** Null if the pages look as those of the installation. */
  readonly appearance?: Appearance | null
  /** Where users are sent after a sign-out that names only the application. */
  readonly signOutUrl?: string | null
}

export interface GatewayDemands {
  /** Empty: sessions. */
  readonly accept: readonly string[]
  readonly scope: readonly string[]
  readonly permission: string | null
  /** The API for which tokens must have been issued. Null if none are accepted. */
  readonly resource: string | null
}

/** The look of the pages that are opened for an application. The installation's look replaces what is null. */
export interface Appearance {
  readonly name: string
  readonly accent: string | null
  readonly logo: StoredLogo | null
  readonly termsUrl: string | null
  readonly privacyUrl: string | null
}

export interface OriginOfApplication {
  readonly origin: string
  readonly application: Application
}

export interface MatchedAddress {
  application: Application
  /** The stored address, such as `https://example.com/shop`. */
  address: string
}

/** A bridge secret of an application. */
export interface ApplicationSecret {
  readonly id: string
  readonly application: Application
  readonly rights: readonly BridgeRight[]
  /** In milliseconds since 1970. */
  readonly endsAt: number
  isAllowedFrom(address: string): boolean
}

/** All stored applications at one point in time. */
export interface ApplicationSet {
  readonly version: number
  readonly hasDisabled: boolean
  /** Whether an application accepts only some ways to sign in. */
  readonly hasMethods: boolean
  /** The return address that covers the URL most closely, also of an application that is disabled. */
  ofReturnAddress(url: URL): MatchedAddress | undefined
  /**
   * Whether servers may take the URL for a page below an address of a disabled application that has more segments than the
   * accepting one: compares paths without case, encoding and parameters.
   */
  isBelowDisabled(url: URL, accepting: string): boolean
  /** In the same way, the applications with rules for which servers may take the URL. */
  restrictedBelow(url: URL, accepting: string): readonly Application[]
  ofOrigin(origin: string): Application | undefined
  /** Also finds an application that is disabled. */
  ofKey(key: string): Application | undefined
  /** The origins of all return addresses on this host, each with one of its applications. */
  onHost(hostname: string): readonly OriginOfApplication[]
  readonly hasSecrets: boolean
  /** Also finds a secret that has ended, and one of an application that is disabled. */
  ofSecret(hash: string): ApplicationSecret | undefined
}

export interface Applications {
  /** If the stored applications could not be read in the last second, the set contains only what is rejected. */
  current(): ApplicationSet
  /** The applications as they were read last. Only for rules that reject, which also apply while `current` accepts nothing. */
  latest(): ApplicationSet
  /** Undefined if `current` returns the stored applications. Otherwise, reads them. Never rejects. */
  whenCurrent(): Promise<void> | undefined
  /** Call this after the commit of a change. Takes effect immediately here, and within a second on other nodes. */
  invalidate(version: number): Promise<void>
}
