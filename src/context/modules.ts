import type { RawBuilder } from 'kysely'
import type { Config } from '../config/load.ts'
import type { PermissionWords, StaffPermission } from '../config/staff-permissions.ts'
import type { Context, ExportMember, Transaction } from '../context.ts'
import type { StaffRequirement } from './staff.ts'

export interface ModuleState {
  /** Whether all tables and columns of the component exist. The component defaults to `core`. */
  isInstalled(moduleId: string, component?: string): boolean
  /** Whether the module's core was installed but tables or columns are missing. */
  isDamaged(moduleId: string): boolean
  isEnabled(moduleId: string): boolean
  /** Returns the error code for requests to the module, or undefined if its routes are available. */
  rejectionOf(gate: ModuleGate): 'module_not_installed' | 'MODULE_DISABLED' | undefined
  /** Readable columns of `users`. A component's columns are either all readable or all unreadable. */
  userColumns(): readonly ModuleColumn[]
  /** The user search filters of all modules, installed or not, because the route's schema is built at startup. */
  declaredFilters(): readonly UserFilter[]
  /** The user search filters of installed components. */
  userFilters(): readonly UserFilter[]
  /** The members that installed modules add to GET /auth/admin/users/{id}. */
  userDetails(): readonly UserDetail[]
  /** The members of the import format that installed modules store. */
  importMembers(): readonly ImportMember[]
  exportMembers(): Readonly<Record<string, ExportMember>>
  navigation(): readonly NavigationEntry[]
  adminNavigation(config: Config): readonly AdminEntry[]
  /** The lines that allow crawlers to read public pages of available modules, in `robots.txt`. */
  crawlRules(config: Config): readonly string[]
  /** Undefined if the module is not available or has no first step. */
  firstStep(moduleId: string, config: Config): ModuleLink | undefined
  suggestion(): string | undefined
  /** The chapter of the module's settings, and, while the module is available, its navigation entries. */
  placesOf(moduleId: string, config: Config): ModulePlaces
  /** The module's texts in this language. Excludes the English texts of `module.json`. */
  wordsOf(moduleId: string, lang: string): ModuleWords
  /** The permissions of all modules in words, installed or not. */
  permissionWords(lang: string): PermissionWords
  /** Call this if a table or column is unexpectedly missing. Checks the database again. */
  suspect(): void
}

export interface ModuleWords {
  name?: string
  description?: string
  components?: Readonly<Record<string, string>>
  /** The consequences of switching the module off. */
  off?: string
}

export interface ModulePlaces {
  chapter: string | undefined
  console: readonly AdminEntry[]
  account: readonly NavigationEntry[]
}

export interface NavigationEntry {
  path: string
  label(lang: string): string
  /** A name in `ui/partials/icon.eta`. */
  icon: string
  /** The path of the preceding entry. If no entry has this path, the new entry comes last. */
  after?: string
}

/** Shown to users who have the permission or one of the roles. The API enforces the permissions. */
export interface AdminEntry extends NavigationEntry, StaffRequirement {}

export type ModuleLink = Pick<AdminEntry, 'path' | 'label' | 'permission' | 'roles'>

export interface ModuleGate {
  id: string
  component: string
}

export interface ModuleColumn {
  name: string
  unset: unknown
  schema: object
  filter?: { schema: object; read?(value: unknown): unknown }
}

/** A response member of GET /auth/admin/users/{id}. Must not contain secrets. */
export interface UserDetail {
  name: string
  read(ctx: Context, userId: string, view: DetailsView): Promise<unknown>
}

export interface DetailsView {
  /** Whether the viewer may see the user's locations, devices and addresses. */
  showsDevices: boolean
  /** Whether the viewer has the permission. */
  can(permission: StaffPermission): boolean
}

/** A member of the import format (`import/record.ts`) whose value a module stores. */
export interface ImportMember {
  name: string
  /** Whether the value is a second factor. If so, sign-ins require a second factor unless the record says otherwise. */
  isFactor?: true
  /** Whether the value is secret. If so, exports contain the value only if hashes were requested. */
  isSecret?: true
  /** `value` conforms to the member's schema. Throws VALIDATION_ERROR if it cannot be stored. */
  check(ctx: Context, value: unknown): void
  /** Stores the values of users that were inserted in this transaction. */
  write(tx: Transaction, values: readonly ImportedValue[]): Promise<void>
  /** Returns these users' values by user id, as they appear in the import format. */
  read(ctx: Context, userIds: readonly string[]): Promise<ReadonlyMap<string, unknown>>
}

export interface ImportedValue {
  user: { id: string; created_at: Date }
  value: unknown
}

export interface UserFilter {
  name: string
  schema: object
  /** Returns a condition on a row of `users`. The query contains no other table. */
  condition(value: unknown): RawBuilder<boolean>
  /** The filter's labels in the console. Without labels, only the API offers the filter. */
  labels?(lang: string): { label: string; choices: { value: string; label: string }[] }
}
