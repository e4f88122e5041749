import type { Generated, JSONColumnType } from 'kysely'

/** The parameters of a request for authorization that were checked. */
export interface StoredParameters {
  redirect_uri: string
  response_mode: 'query' | 'form_post'
  scopes: string[]
  /** The id of a resource. */
  resource: string | null
  state: string | null
  nonce: string | null
  code_challenge: string | null
  prompts: string[]
  /** In seconds. */
  max_age: number | null
  wants_mfa: boolean
  /** Whether `acr` was asked for as an essential claim. */
  needs_mfa: boolean
  login_hint: string | null
  ui_locales: string[]
  /** The subject that must sign in. */
  subject: string | null
  claims: RequestedClaims
}

/** The names of claims that were asked for one by one (OpenID Connect Core, 5.5). */
export interface RequestedClaims {
  id_token?: string[]
  userinfo?: string[]
}

export interface OAuthRequestsTable {
  id: string
  created_at: Date
  browser_hash: Buffer
  client_id: string
  params: JSONColumnType<StoredParameters>
  ip_address: string
  expires_at: Date
}

export interface OAuthConsentsTable {
  user_id: string
  client_id: string
  scopes: string[]
  resources: string[]
  targets: string[]
  given_at: Date
  expires_at: Date
}

export interface OAuthGrantsTable {
  id: string
  created_at: Date
  epoch: Generated<number>
  user_id: string
  client_id: string
  client_epoch: number
  session_id: string
  is_offline: boolean
  sid: string
  scopes: string[]
  resource_id: string | null
  claims: JSONColumnType<RequestedClaims>
  acr: string | null
  amr: string[]
  auth_time: Date
  cnf: Generated<JSONColumnType<object> | null>
  ip_address: string
  user_agent: string
  last_used_at: Generated<Date | null>
  check_at: Date
  expires_at: Date
  ended_at: Generated<Date | null>
  end_reason: Generated<string | null>
  session_ended_at: Generated<Date | null>
}

export interface OAuthCodesTable {
  code_hash: Buffer
  created_at: Date
  grant_id: string
  redirect_uri: string
  code_challenge: string | null
  nonce: string | null
  expires_at: Date
  used_at: Generated<Date | null>
}

export interface OAuthRefreshTokensTable {
  token_hash: Buffer
  created_at: Date
  grant_id: string
  expires_at: Date
  rotated_at: Generated<Date | null>
  successor_salt: Generated<Buffer | null>
}

export interface OAuthLogoutsTable {
  id: string
  created_at: Date
  client_id: string
  user_id: string
  sid: string
  attempts: Generated<number>
  next_attempt_at: Date
  claimed_until: Generated<Date | null>
  done_at: Generated<Date | null>
}
