import type { Config } from '../config/load.ts'

export const knownProviders = ['google', 'github', 'facebook', 'apple', 'discord', 'microsoft'] as const

export type ProviderName = (typeof knownProviders)[number] | 'oidc'

/** Only documented members of the documented type. */
export interface ProviderProfile {
  subject: string
  email: string | undefined
  /** Whether the provider vouches for the address. */
  emailVerified: boolean
  name: string
  lastName: string
  /** An https address or empty. Stored, never fetched. */
  picture: string
}

/** Identified by issuer and subject, never by address. */
export interface ProviderIdentity extends ProviderProfile {
  provider: ProviderName
  issuer: string
}

export interface ProviderFile {
  name: ProviderName
  title: string
  /** Undefined if the provider is not configured. */
  app(config: Config): ProviderApp | undefined
  scope: string
  /** Only these hosts are contacted. */
  hosts: readonly string[]
  /** Additional parameters of the authorization request. */
  parameters?: Record<string, string>
  /** Either OpenID Connect, or OAuth 2 with an API. */
  openId?: OpenIdPart
  oauth?: OAuthPart
  /** Throws `NotAccepted` unless the token was issued to one of our clients. If undefined, tokens are refused. */
  proveAudience?(api: ProviderApi): Promise<void>
}

export interface ProviderApp {
  clientId: string
  secret: () => string | Promise<string>
  /** Client ids of the operator's mobile apps, whose tokens are accepted too. */
  extraClientIds: readonly string[]
  /** Replaces the default issuer. */
  issuer?: string | undefined
  hosts?: readonly string[]
}

export interface OpenIdPart {
  issuer(config: Config): string
  issuerSpellings?: readonly string[]
  algorithms: readonly string[]
  /** Whether missing claims are read from the userinfo endpoint. */
  asksUserInfo?: boolean
  profile(claims: ProviderClaims): ProviderProfile
  /** Restricts the keys per issuer. If undefined, every key of the provider is accepted. */
  mayKeySign?(key: ProviderClaims, claims: ProviderClaims): boolean
}

export interface OAuthPart {
  server: { issuer: string; authorization_endpoint: string; token_endpoint: string }
  profile(api: ProviderApi): Promise<ProviderProfile>
}

export interface ProviderApi {
  accessToken: string
  clientId: string
  secret: string
  acceptedClientIds: readonly string[]
  ask(url: string, request?: { method?: string; headers?: Record<string, string>; body?: string }): Promise<unknown>
}

export type ProviderClaims = Record<string, unknown>

/** A response or token of the provider is not acceptable. */
export class NotAccepted extends Error {}
