import type { StoredValue } from '../config/stored-values.ts'

export interface StoredSettings {
  /** Stored values that are not used, by the names of their settings, with the reasons. */
  ignored(): ReadonlyMap<string, string>
  /** Which of these values would not be used if they were stored. */
  ignoredOf(values: readonly StoredValue[]): ReadonlyMap<string, string>
  /** Call this after a change was committed. Applies the change on this node and notifies the others. */
  refreshAll(): Promise<void>
}
