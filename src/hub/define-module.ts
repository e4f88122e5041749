import type { Derivations } from '../audit/derive-events.ts'
import type { Config, FixedConfig } from '../config/load.ts'
import type { ModuleSettings } from '../config/settings.ts'
import type { DeclaredPermissions, PermissionWords } from '../config/staff-permissions.ts'
import type {
  AdminEntry,
  Context,
  CredentialProvider,
  ImportMember,
  ModuleColumn,
  ModuleLink,
  ModuleWords,
  NavigationEntry,
  PersonalData,
  SecondFactor,
  Transaction,
  UserDetail,
  UserFilter,
} from '../context.ts'
import type { SqlObject } from '../db/sql-objects.ts'
import type { Db } from '../db/tables.ts'
import type { EventSchemas } from '../events/schemas.ts'
import type { SharedRoutes } from '../http/access/sharing.ts'
import type { LimitRule } from '../http/limits/rate-limits.ts'
import type { DeclareRoutes } from '../http/server/types.ts'
import type { ErrorCode, ErrorEntry } from '../lib/errors.ts'
import type { MessageDeclarations } from '../outbox/messages.ts'
import type { ReadOverviewPart } from '../ui/account/overview-part.ts'
import type { PersonalDataPages } from '../ui/account/personal-data-replacement.ts'
import type { ReadSecurityPart } from '../ui/account/security-part.ts'
import type { ConsolePart } from '../ui/console/console-part.ts'
import type { SecondFactorPages } from '../ui/shared/second-factor-pages.ts'
import type { ComponentManifest, ModuleManifest } from './manifest-schemas.ts'
import type { ModuleCommands } from './module-command.ts'

export interface LoadedComponent extends ComponentManifest {
  installSql: string
  furtherObjects: readonly SqlObject[]
  checksum: string
  /** Upgrade SQL, keyed by the version it upgrades from. */
  upgradeSql: ReadonlyMap<string, { to: string; sql: string }>
}

export interface LoadedModule extends ModuleDefinition {
  id: string
  manifest: ModuleManifest
  components: readonly LoadedComponent[]
}

export type ModuleSwitch = { [Name in keyof Config]: Config[Name] extends boolean ? Name : never }[keyof Config]

/** A line of `wardenry doctor`. */
export interface ModuleFinding {
  state: 'ok' | 'notice' | 'problem'
  about: string
  text: string
}

export interface ModuleDefinition {
  /** The folder containing `module.json` and the SQL files. */
  directory: URL
  /** Written by `npm run checksums` and compared at every start. */
  checksums: Readonly<Record<string, string>>
  /** The module is enabled if all of these settings are true. Installing the module does not change them. */
  switches: readonly ModuleSwitch[]
  /** If the module is disabled, its routes return MODULE_DISABLED even if it is not installed. */
  disabledFirst?: boolean
  isSuggested?: boolean
  settings?: ModuleSettings
  /** The module's texts in the console, by language. English names and descriptions are in `module.json`. */
  words?: Readonly<Record<string, ModuleWords>>
  errors?: Readonly<Record<string, ErrorEntry>>
  /** Error codes that the module adds to the descriptions of core routes, by `operationId`. */
  routeErrors?: Readonly<Record<string, readonly ErrorCode[]>>
  auditEvents?: readonly string[]
  /** The schemas of the `data` of the module's events, by type. */
  events?: EventSchemas
  /** Derives events from audit events. The module records all its other events with `recordEvents`. */
  derivedEvents?: Derivations
  /**
   * Members whose values never appear in responses or logs, regardless of how the name is spelled. A trailing `*` is a
   * wildcard.
   */
  writeOnlyNames?: readonly string[]
  /** Messages by name, with the variables for their templates in `mails/<language>/`. */
  mails?: MessageDeclarations
  /** The group of these messages in the console; default: `other`. */
  mailGroup?: 'second_factor' | 'personal_data'
  tags?: Readonly<Record<string, string>>
  /** The permissions of the module's administration routes. `ModulePermissions` contains their names. */
  permissions?: DeclaredPermissions
  /** The permissions in words, by language, as they continue the sentence "Can …". */
  permissionWords?: Readonly<Record<'en' | 'es', PermissionWords>>
  /** All routes are always registered, but work only while the module specified in their `config` is available. */
  routes(ctx: Context): DeclareRoutes
  pages?: {
    routes(ctx: Context): DeclareRoutes
    navigation?: readonly NavigationEntry[]
    /** Entries in the console navigation. */
    adminNavigation?: (config: Config) => readonly AdminEntry[]
    /** Lines of `robots.txt` for the module's public pages. All other pages are disallowed. */
    crawlRules?: (config: Config) => readonly string[]
    /** The link in the notice after the installation, for example to the form for a first post. */
    firstStep?: (config: Config) => ModuleLink
    /** Panels and actions on a user's page in the console, and sentences for audit events. */
    console?: ConsolePart
    /** A row or a notice in the account overview. */
    overview?: ReadOverviewPart
    /** Sections of `/account/security`. */
    security?: ReadSecurityPart
    /** Replaces the core's pages while the module is installed and enabled. */
    personalData?: PersonalDataPages
    secondFactor?: SecondFactorPages
  }
  /** The module's columns of `users`, by component. Other columns of the module are not read for responses. */
  userColumns?: Readonly<Record<string, readonly ModuleColumn[]>>
  /** User search filters by component, in addition to those from `userColumns`. */
  userFilters?: Readonly<Record<string, readonly UserFilter[]>>
  /** Members added to GET /auth/admin/users/{id} while the module is installed. */
  userDetails?: readonly UserDetail[]
  /** The user data that the module stores, as members of the import and export format. */
  importMembers?: readonly ImportMember[]
  queuedJobs?: Readonly<Record<string, (ctx: Context, data: never) => Promise<void>>>
  /**
   * Jobs that run every ten minutes while the module is installed. A job that removes 1,000 rows or more runs
   * again immediately.
   */
  cleanupJobs?: Readonly<Record<string, (ctx: Context) => Promise<number>>>
  /** Jobs that run on every node, possibly concurrently, while the module is installed and enabled. */
  scheduledJobs?: Readonly<Record<string, { every(config: FixedConfig): number; run(ctx: Context): Promise<void> }>>
  personalData?: PersonalData
  /**
   * Called when a backup is restored or a move is undone. Postpones deletions due before `until` to that time, because
   * users may have cancelled them in the other database or after the backup. Returns the number of postponed deletions.
   */
  postponeDeletions?(db: Db, until: Date): Promise<number>
  /**
   * Called when a backup is restored or a move is undone, even if sessions are kept. Removes what must not become valid
   * again, such as a key that was compromised since.
   */
  withdrawRestored?(tx: Transaction, options: { keepSessions: boolean }): Promise<void>
  /** Called when all sessions end. Invalidates the links that the module has created, and returns their number. */
  voidLinks?(ctx: Context): Promise<number>
  /**
   * Called when a backup is restored or a move is undone, because credentials may have been revoked since. Ends all
   * credentials that the module provides, and returns their number.
   */
  endCredentials?(ctx: Context): Promise<number>
  /**
   * Called when all sessions of users end, except perhaps the current one. Ends what outlasts sessions and could have been
   * gained with a stolen one.
   */
  sessionsEnded?(tx: Transaction, userIds: readonly string[], ending: { reason: string }): Promise<void>
  /** Creates the second-factor implementation. Called once, at startup. */
  secondFactor?(ctx: Context): SecondFactor
  /** Creates the kind of credential that the module provides. Called once, at startup. */
  credentials?(ctx: Context): CredentialProvider
  /** The module's routes that pages of other origins can call. Called once, at startup. */
  sharedRoutes?(ctx: Context): SharedRoutes
  /** Provides services to dependent modules. Called once, before the server starts. */
  prepare?(ctx: Context, modules: readonly LoadedModule[]): void
  /** Adds lines to `wardenry doctor`. Changes nothing. Called only if the module is installed and enabled. */
  examine?(db: Db, config: Config): Promise<ModuleFinding[]>
  /** Commands for operators: `wardenry <id> <name>`. */
  commands?: ModuleCommands
  limits?: Readonly<Record<string, LimitRule>>
}

export const defineModule = (definition: ModuleDefinition): ModuleDefinition => definition
