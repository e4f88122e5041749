import type { ExportMember } from '../context.ts'

export interface ModuleState {
  /** All tables and columns exist. The component defaults to `core`. */
  isInstalled(moduleId: string, component?: string): boolean
  /** The core of the module was installed, but tables or columns are missing. */
  isDamaged(moduleId: string): boolean
  isEnabled(moduleId: string): boolean
  /** Undefined if routes of the module may answer. */
  refusalOf(gate: ModuleGate): 'module_not_installed' | 'MODULE_DISABLED' | undefined
  /** Readable columns of `users`. The columns of a component are complete or absent. */
  userColumns(): readonly ModuleColumn[]
  userFilters(): readonly ModuleColumn[]
  exportMembers(): Readonly<Record<string, ExportMember>>
  navigation(): readonly NavigationEntry[]
  suggestion(): string | undefined
  /** Call it if a table or column is unexpectedly missing; checks the database again. */
  suspect(): void
}

export interface NavigationEntry {
  path: string
  label(lang: string): string
  /** The path of the preceding entry. Without it, the entry comes last. */
  after?: string
}

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
