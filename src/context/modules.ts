import type { ExportMember } from '../context.ts'

export interface ModuleState {
  /** All tables and columns exist. The component defaults to `core`. */
  isInstalled(moduleId: string, component?: string): boolean
  /** The core of the module was installed, but tables or columns are missing. */
  isDamaged(moduleId: string): boolean
  /** By its settings. */
  isEnabled(moduleId: string): boolean
  /** The error code for routes of the module; undefined if they may answer. */
  refusalOf(gate: ModuleGate): 'module_not_installed' | 'MODULE_DISABLED' | undefined
  /** Readable columns of `users` added by modules. The columns of a component are complete or absent. */
  userColumns(): readonly ModuleColumn[]
  /** Columns of all modules that administrators may search by. */
  userFilters(): readonly ModuleColumn[]
  /** Of all modules, installed or not. */
  exportMembers(): Readonly<Record<string, ExportMember>>
  /** Of installed and enabled modules, for the navigation of the account. */
  navigation(): readonly NavigationEntry[]
  /** Id of a module that the start page recommends. */
  suggestion(): string | undefined
  /** Call it if a table or column is unexpectedly missing; checks the database again. */
  suspect(): void
}

export interface NavigationEntry {
  path: string
  /** Falls back to English. */
  label(lang: string): string
  /** The path of the preceding entry; by default, or if that is missing, the entry comes last. */
  after?: string
}

export interface ModuleGate {
  id: string
  component: string
}

export interface ModuleColumn {
  name: string
  /** The value shown for NULL. */
  unset: unknown
  /** For the API description. */
  schema: object
  /** For the user search. `read` converts the value to compare with. */
  filter?: { schema: object; read?(value: unknown): unknown }
}
