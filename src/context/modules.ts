import type { ExportMember } from '../context.ts'

/** What is installed. Columns of modules appear in user objects as soon as they exist. */
export interface ModuleState {
  /** Whether every table and column of a component exists; the component is `core` when none is named. */
  isInstalled(moduleId: string, component?: string): boolean
  /** Whether the core of a module was installed and has since lost tables or columns: not there, and not by anybody's wish. */
  isDamaged(moduleId: string): boolean
  /** Whether the settings want it. */
  isEnabled(moduleId: string): boolean
  /** Why a route that belongs to it does not answer; undefined when it does. */
  refusalOf(gate: ModuleGate): 'module_not_installed' | 'MODULE_DISABLED' | undefined
  /** Readable columns of `users` that modules have added; never write-only ones. Grouped: a group is whole or absent. */
  userColumns(): readonly ModuleColumn[]
  /** Those of all modules, installed or not, by which administrators may search. */
  userFilters(): readonly ModuleColumn[]
  /** What modules add to exports, installed or not. */
  exportMembers(): Readonly<Record<string, ExportMember>>
  /** Entries of the modules that answer now, for the navigation of the account. */
  navigation(): readonly NavigationEntry[]
  /** A module that is not installed, and that the start page suggests. */
  suggestion(): string | undefined
  /** Something that should be there is not: looks again, soon. */
  suspect(): void
}

/** A page that the navigation of the account leads to. */
export interface NavigationEntry {
  path: string
  /** Its name in this language, or in English. */
  label(lang: string): string
  /** The path of the entry that it follows; without it, or where that is missing, the entry comes last. */
  after?: string
}

/** What a route belongs to. */
export interface ModuleGate {
  id: string
  component: string
}

export interface ModuleColumn {
  name: string
  /** What an unset column shows. */
  unset: unknown
  /** How the description of the API puts it. */
  schema: object
  /** How the user search of administrators asks for its value, if it may. `read` gives the value that is compared. */
  filter?: { schema: object; read?(value: unknown): unknown }
}
