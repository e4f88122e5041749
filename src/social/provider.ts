import type { Config } from '../config/load.ts'

/** Providers as paths name them: six that everybody knows, and one of the operator's own. */
export const knownProviders = ['google', 'github', 'facebook', 'apple', 'discord', 'microsoft'] as const

export type ProviderName = (typeof knownProviders)[number] | 'oidc'

/** What a provider says about somebody: only what stands in its documented field, with its documented type. */
export interface Profile {
  subject: string
  email: string | undefined
  /** Whether it vouches that they have the inbox. */
  emailVerified: boolean
  name: string
  lastName: string
  /** An https address, or empty. It is kept, never fetched. */
  picture: string
}

/** Who somebody is: never their address. */
export interface Identity extends Profile {
  provider: ProviderName
  issuer: string
}

/** What is different about one provider. */
export interface ProviderFile {
  name: ProviderName
  /** As people know it. */
  title: string
  /** Secret, or what takes its place; undefined when it is not configured. */
  app(config: Config): ProviderApp | undefined
  scope: string
  /** Where it works: no other host is asked. */
  hosts: readonly string[]
  /** Further parameters of the address that people are sent to. */
  parameters?: Record<string, string>
  /** One of the two: a provider that speaks OpenID Connect, or plain OAuth 2 with an API. */
  openId?: OpenIdPart
  oauth?: OAuthPart
  /**
   * Throws `NotAccepted` unless the provider itself says that the access token was made for one of our own client ids.
   * Absent where a provider cannot prove it: access tokens of it are refused.
   */
  proveAudience?(api: Api): Promise<void>
}

export interface ProviderApp {
  clientId: string
  secret: () => string | Promise<string>
  /** Client ids of the operator's mobile apps, whose tokens count as well. */
  extraClientIds: readonly string[]
  /** In place of the provider's own. */
  issuer?: string | undefined
  /** Further hosts, when the operator says where it works. */
  hosts?: readonly string[]
}

export interface OpenIdPart {
  /** Its discovery document says the rest. */
  issuer(config: Config): string
  /** Other spellings of the issuer in ID tokens. */
  issuerSpellings?: readonly string[]
  algorithms: readonly string[]
  /** Claims that are not in the ID token are asked for at the user info address. */
  asksUserInfo?: boolean
  profile(claims: Members): Profile
  /** Whether a key may sign for the issuer of these claims; every key of the provider may when absent. */
  mayKeySign?(key: Members, claims: Members): boolean
}

export interface OAuthPart {
  /** The issuer of its identities, and where codes are made and traded. */
  server: { issuer: string; authorization_endpoint: string; token_endpoint: string }
  profile(api: Api): Promise<Profile>
}

/** The API of a provider, with an access token of whoever came. */
export interface Api {
  accessToken: string
  /** Our own name and secret there. */
  clientId: string
  secret: string
  acceptedClientIds: readonly string[]
  /** JSON of an address. Throws `NotAccepted` when the provider refuses. */
  ask(url: string, request?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<unknown>
}

export type Members = Record<string, unknown>

/** What came from a provider, or in its name, is not good enough. */
export class NotAccepted extends Error {}
