import type { ColumnType, Generated } from 'kysely'
import type { LogoImage } from '../../config/branding.ts'

export interface ApplicationsTable {
  id: string
  created_at: Date
  updated_at: Date
  deleted_at: ColumnType<Date | null, Date | null | undefined>
  epoch: Generated<number>
  /** Sessions and codes of an earlier epoch have ended. */
  sessions_from_epoch: Generated<number>
  is_enabled: boolean
  is_development: boolean
  key: string
  name: string
  kind: ApplicationKind
  source: Generated<'admin'>
  home_url: string | null
  /** The keys of other applications whose sessions this one accepts. */
  accepts: Generated<string[]>
  /** As in `sessions.sign_in_method`. Empty: all that the settings allow. */
  sign_in_methods: Generated<string[]>
  registration: Generated<boolean>
  /** The demands at /auth/verify/for. Empty: sessions, without scopes. */
  gateway_accept: Generated<string[]>
  gateway_scope: Generated<string[]>
  gateway_permission: ColumnType<string | null, string | null | undefined>
  gateway_resource: ColumnType<string | null, string | null | undefined>
  note: Generated<string>
  accent: ColumnType<string | null, string | null | undefined>
  logo: ColumnType<StoredLogo | null, StoredLogo | null | undefined>
  terms_url: ColumnType<string | null, string | null | undefined>
  privacy_url: ColumnType<string | null, string | null | undefined>
  sign_out_url: ColumnType<string | null, string | null | undefined>
}

/** The picture itself is in `application_logos`. */
export interface StoredLogo {
  /** Identifies the content. */
  version: string
  type: LogoImage['type']
  width: number
  height: number
}

export interface ApplicationLogosTable {
  application_id: string
  bytes: Buffer
}

/** `gateway`: behind a proxy that calls `/auth/verify`. `service`: has no pages of its own. */
export type ApplicationKind = 'website' | 'single_page' | 'mobile' | 'gateway' | 'service'

export interface ApplicationAddressesTable {
  application_id: string
  kind: AddressKind
  position: number
  address: string
}

export type AddressKind = 'return' | 'origin'

export interface ApplicationSecretsTable {
  id: string
  application_id: string
  created_at: Date
  secret_hash: Buffer
  hint: string
  rights: BridgeRight[]
  ip_ranges: string[]
  ends_at: Date | null
}

export interface ApplicationTestsTable {
  user_id: string
  application_id: string
  started_at: Date
}

/** Each route for back ends requires one of them. */
export type BridgeRight = 'sessions' | 'users' | 'events' | 'permissions'
