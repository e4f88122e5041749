import type { ColumnType, Generated, GeneratedAlways, Kysely } from 'kysely'

type Json = Record<string, unknown>
/** Those that modules bring, with a default each. */
type GeneratedColumns<Columns> = { [Name in keyof Columns]: Generated<Columns[Name]> }

interface Users {
  id: string
  email: string
  user_name: string
  phone: string | null
  /** Whether the number may be used to sign in. */
  phone_trusted: Generated<boolean>
  password_hash: string | null
  user_type: Generated<string>
  name: Generated<string>
  last_name: Generated<string>
  display_name: string | null
  title: string | null
  gender: string | null
  dob: string | null
  picture: Generated<string>
  lang: string | null
  tmz: string | null
  metadata: ColumnType<Json, Json | undefined>
  is_verified: Generated<boolean>
  two_factor: Generated<boolean>
  two_factor_changed_at: Date | null
  first_time: Generated<boolean>
  session_epoch: Generated<number>
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  /** Made by the database of what the user search looks through. */
  search_text: GeneratedAlways<string>
  /** From here on: there while the module onboarding is installed. */
  is_business: Generated<boolean>
  biz_name: string | null
  biz_country: string | null
  biz_state: string | null
  biz_position: string | null
  biz_postal_code: string | null
}

/** How a person has proved who they are. */
export type Proof = 'password' | 'login_token' | 'social' | 'passkey' | 'registration' | 'reset' | 'setup'

export type SessionStatus = 'pending' | 'active' | 'revoked' | 'expired'

interface Sessions {
  id: string
  token_hash: string
  user_id: string
  status: SessionStatus
  two_factor_verified: Generated<boolean>
  created_at: Date
  started_at: Date
  last_used_at: Date
  proved_at: Date
  seen_in_address: Generated<boolean>
  /** Wrong codes that a partial session was shown. */
  wrong_codes: Generated<number>
  ip_address: Generated<string>
  user_agent: Generated<string>
  user_device: Generated<string>
  device_id: string | null
  ended_at: Date | null
  end_reason: string | null
  proof: Generated<Proof>
}

interface OneTimeSecrets {
  id: string
  purpose: string
  secret_hash: string
  user_id: string | null
  target: string | null
  created_at: Date
  expires_at: Date
  used_at: Date | null
  code_hash: string | null
  code_expires_at: Date | null
  guesses: Generated<number>
}

interface SocialAccounts {
  id: string
  user_id: string
  provider: string
  issuer: string
  subject: string
  email: string | null
  name: Generated<string>
  picture: Generated<string>
  linked_at: Date
  last_used_at: Date
}

interface SocialFlows {
  state_hash: string
  flow_hash: string
  provider: string
  format: 'web' | 'json'
  user_id: string | null
  session_id: string | null
  expires_at: Date
}

export type EmailChangeStatus = 'pending' | 'completed' | 'cancelled' | 'replaced' | 'expired'

interface EmailChanges {
  id: string
  user_id: string
  session_id: string | null
  old_email: string
  new_email: string
  status: Generated<EmailChangeStatus>
  current_confirmed_at: Date | null
  new_confirmed_at: Date | null
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}

interface Outbox {
  id: string
  channel: 'mail' | 'sms' | 'task'
  message: string
  payload: string | null
  status: Generated<'pending' | 'queued' | 'sent' | 'failed' | 'expired'>
  attempts: Generated<number>
  created_at: Date
  expires_at: Date | null
  done_at: Date | null
  last_error: string | null
}

interface AuditEvents {
  id: string
  time: Date
  event: string
  outcome: 'success' | 'failure'
  actor_id: string | null
  actor_role: string | null
  target_id: string | null
  method: string | null
  ip: string | null
  user_agent: string | null
  request_id: string | null
  node: string
  details: Json
  seal: Generated<number | null>
}

interface AuditSeals {
  number: number
  events: number
  first_time: Date
  digest: string
  key_id: string
  mac: string
  sealed_at: Date
}

interface RateLimits {
  key: string
  count: number
  resets_at: Date
}

interface AccountCounters {
  key: string
  failures: number
  window_ends_at: Date
  in_a_row: number
  locked_until: Date | null
}

interface Pictures {
  name: string
  user_id: string | null
  created_at: Date
  unused_since: Date | null
}

interface ModuleHubRegistry {
  id: string
  module_id: string
  component_id: string
  component_type: 'core' | 'extension'
  runtime_scope: string
  version: string
  checksum: string
  status: 'installed' | 'repaired'
  run_id: string
  installed_by: string | null
  installed_at: Date
  updated_at: Date
}

interface ModuleHubEvents {
  id: string
  run_id: string
  module_id: string
  component_id: string | null
  runtime_scope: string
  event_type: string
  actor_user_id: string | null
  detail: Json
  created_at: Date
}

/** Tables of the module two-factor. They are there once it is installed. */
interface TwoFactor {
  id: string
  user_id: string
  method: 'email' | 'sms' | 'totp' | 'passkey'
  identifier: string | null
  status: 'pending_setup' | 'active'
  /** Encrypted. */
  secret: string | null
  last_step: ColumnType<string | null, number | null | undefined, number>
  metadata: ColumnType<Json, Json | undefined>
  last_used_at: Date | null
  created_at: Date
  updated_at: Date
}

interface TwoFactorRecoveryCodes {
  id: string
  user_id: string
  code_hash: string
  used_at: Date | null
  created_at: Date
}

interface TwoFactorPasskeys {
  two_factor_id: string
  credential_id: Buffer
  public_key: Buffer
  sign_count: number
  transports: string[] | null
  aaguid: string | null
  backed_up: boolean
}

interface UserOnboarding {
  user_id: string
  status: 'in_progress' | 'completed'
  step: string | null
  steps: Record<string, 'done' | 'skipped'>
  data: Json
  started_at: Date | null
  completed_at: Date | null
  updated_at: Date
}

/** Written, and read by nobody: it has no other use in this service. */
interface UserAcquisition {
  user_id: string
  team_size_range: string | null
  acquisition_source: string | null
  acquisition_medium: string | null
  acquisition_campaign: string | null
  acquisition_term: string | null
  acquisition_content: string | null
  acquisition_referrer: string | null
  acquisition_landing_page: string | null
  acquisition_channel: string | null
  acquisition_detail: string | null
  acquisition_extra: Json
  acquired_at: Date | null
  updated_at: Date
}

interface UserPrivacyEvents {
  id: string
  user_id: string | null
  /** Stays when the user is erased: the same for all events of one person, and leads to nobody. */
  subject_hash: string
  event: string
  old_value: string | null
  new_value: string | null
  version: string | null
  source: string
  ip_address: string | null
  user_agent: string | null
  created_at: Date
}

interface UserDeletionRequests {
  id: string
  user_id: string
  status: 'pending' | 'cancelled'
  reason: string | null
  requested_at: Date
  scheduled_for: Date
  cancelled_at: Date | null
}

interface UserPrivacyExports {
  id: string
  user_id: string
  status: 'pending' | 'ready'
  /** Sealed. */
  archive: string | null
  requested_at: Date
  expires_at: Date
}

/** Tables of the module blog. */
/** Of posts: there while the module post-types is installed, what concerns search engines with its extension. */
export interface PostTypeColumns {
  post_type: string
  custom_fields: Json
  seo_title: string | null
  seo_description: string | null
  seo_keywords: string | null
  canonical_url: string | null
  og_title: string | null
  og_description: string | null
  og_image: string | null
  noindex: boolean
}

interface Posts extends GeneratedColumns<PostTypeColumns> {
  id: string
  user_id: string | null
  lang: string
  title: string
  slug: string
  body: string | null
  body_format: 'markdown' | 'html' | 'text' | 'json'
  body_html: string | null
  body_start: string
  excerpt: string | null
  featured_image: string | null
  featured_image_key: string | null
  status: 'draft' | 'pending' | 'scheduled' | 'published'
  visibility: 'public' | 'auth' | 'private' | 'password'
  password_hash: string | null
  comments_enabled: boolean
  reactions_enabled: boolean
  scheduled_at: Date | null
  published_at: Date | null
  metadata: Json
  search: GeneratedAlways<string>
  live_from: GeneratedAlways<Date | null>
  deleted_at: Date | null
  deleted_by: string | null
  created_at: Date
  updated_at: Date
}

interface PostTags {
  id: string
  name: string
  slug: string
  lang: string
  created_at: Date
  updated_at: Date
}

interface PostTypesTable {
  id: string
  type_key: string
  type_name: string
  description: Generated<string>
  slug_prefix: Generated<string>
  field_schema: JsonText<FieldDefinition[]>
  behaviors: JsonText<StoredBehaviors>
  icon: Generated<string>
  color: Generated<string>
  is_active: Generated<boolean>
  is_built_in: Generated<boolean>
  sort_order: Generated<number>
  version: Generated<number>
  created_at: Date
  updated_at: Date
  allowed_create_types: string[] | null
  allowed_read_types: string[] | null
}

/** Written as text, for the driver takes a list in JavaScript for one of PostgreSQL. */
type JsonText<Value> = ColumnType<Value, string, string>

/** A field that posts of one type have beside those of every post. */
export interface FieldDefinition {
  name: string
  label: string
  type: string
  required: boolean
  options?: string[]
  max_length?: number
  placeholder?: string
}

/** Those alone that somebody has set. */
export type StoredBehaviors = Record<string, string | number | boolean | string[]>

interface PostCategories extends PostTags {
  description: Generated<string>
  parent_id: string | null
  sort_order: Generated<number>
}

interface PostCounts {
  facet: 'all' | 'day' | 'author' | 'category' | 'tag'
  key: string
  lang: string
  visibility: Posts['visibility']
  post_type: string
  posts: number
}

interface PostRevisions {
  id: string
  post_id: string
  user_id: string | null
  title: string
  body: string | null
  body_format: Posts['body_format']
  excerpt: string | null
  fields: ColumnType<Json, Json | undefined>
  created_at: Date
}

interface PostComments {
  id: string
  post_id: string
  user_id: string | null
  parent_id: string | null
  depth: number
  comment_body: string
  status: 'pending' | 'approved' | 'rejected' | 'spam'
  moderated_by: string | null
  moderated_at: Date | null
  moderation_reason: string | null
  edited_at: Date | null
  deleted_at: Date | null
  created_at: Date
  updated_at: Date
}

interface PostReactions {
  id: string
  post_id: string
  user_id: string
  reaction: string
  created_at: Date
}

interface PostTranslations extends Pick<Posts, 'title' | 'body' | 'body_format' | 'body_html' | 'body_start'> {
  id: string
  post_id: string
  user_id: string | null
  lang: string
  slug: string
  excerpt: string | null
  created_at: Date
  updated_at: Date
}

export interface Tables {
  users: Users
  sessions: Sessions
  one_time_secrets: OneTimeSecrets
  social_accounts: SocialAccounts
  social_flows: SocialFlows
  social_tokens_used: { token_hash: string; expires_at: Date }
  email_changes: EmailChanges
  outbox: Outbox
  audit_events: AuditEvents
  audit_seals: AuditSeals
  audit_seals_removed: { one: Generated<boolean>; number: number; last_mac: string; key_id: string; mac: string }
  rate_limits: RateLimits
  account_counters: AccountCounters
  user_counts: { user_type: string; users: number }
  pictures: Pictures
  // Made by the hub with the first installation.
  module_hub_registry: ModuleHubRegistry
  module_hub_events: ModuleHubEvents
  module_hub_locks: { lock_key: string; run_id: string; holder: string; acquired_at: Date; expires_at: Date }
  two_factor: TwoFactor
  two_factor_recovery_codes: TwoFactorRecoveryCodes
  two_factor_passkeys: TwoFactorPasskeys
  user_onboarding: UserOnboarding
  user_acquisition: UserAcquisition
  // Of the module privacy.
  user_privacy_events: UserPrivacyEvents
  user_deletion_requests: UserDeletionRequests
  user_privacy_exports: UserPrivacyExports
  posts: Posts
  post_types: PostTypesTable
  post_categories: PostCategories
  post_tags: PostTags
  post_category_links: { post_id: string; category_id: string }
  post_tag_links: { post_id: string; tag_id: string }
  post_former_slugs: { slug: string; lang: string; post_id: string }
  post_revisions: PostRevisions
  post_comments: PostComments
  post_reactions: PostReactions
  post_bookmarks: { post_id: string; user_id: string; bookmarked_at: Date }
  post_translations: PostTranslations
  post_counts: PostCounts
  installation_facts: { fact: string; since: Date }
  schema_migrations: { scope: string; version: number; name: string; checksum: string; applied_at: Date }
}

/** The database, or the transaction that a use case has opened: queries take either. */
export type Db = Kysely<Tables>
