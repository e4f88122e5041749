import type { Config } from '../config/load.ts'

export const knownProviders = ['google', 'github', 'facebook', 'apple', 'discord', 'microsoft'] as const

export type ProviderName = (typeof knownProviders)[number] | 'oidc'

/** Contains only members that the provider documents and that have the documented type. */
export interface ProviderProfile {
  subject: string
  email: string | undefined
  /** Whether the provider has verified the email address. */
  emailVerified: boolean
  name: string
  lastName: string
  /** An https URL, or empty. The URL is stored but never fetched. */
  picture: string
}

/** The issuer and the subject identify the user. The email address does not. */
export interface ProviderIdentity extends ProviderProfile {
  provider: ProviderName
  issuer: string
}

export interface ProviderFile {
  name: ProviderName
  title: string
  /** Returns undefined if the provider is not configured. */
  app(config: Config): ProviderApp | undefined
  scope: string
  /** The service contacts only these hosts, unless the settings specify an issuer. */
  hosts: readonly string[]
  /** Additional parameters for the authorization request. */
  parameters?: Record<string, string>
  /** A provider uses either OpenID Connect or OAuth 2 with an API for the profile. */
  openId?: OpenIdPart
  oauth?: OAuthPart
  /** Throws `NotAccepted` for tokens issued to other clients. If undefined, no access tokens are accepted. */
  proveAudience?(api: ProviderApi): Promise<void>
}

export interface ProviderApp {
  clientId: string
  secret: () => string | Promise<string>
  /** The client ids of the operator's mobile apps. Tokens issued to these apps are also accepted. */
  extraClientIds: readonly string[]
  /** Replaces the default issuer. */
  issuer?: string | undefined
  hosts?: readonly string[]
}

export interface OpenIdPart {
  issuer(config: Config): string
  issuerSpellings?: readonly string[]
  algorithms: readonly string[]
  /** Whether the userinfo endpoint is queried if the ID token contains no email address. */
  asksUserInfo?: boolean
  profile(claims: ProviderClaims): ProviderProfile
  /** Restricts the keys that may sign for an issuer. If undefined, all of the provider's keys are accepted. */
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

/** Thrown if a response or token from the provider is not acceptable. */
export class NotAccepted extends Error {}
