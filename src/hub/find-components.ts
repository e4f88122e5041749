import { findLost, nameOfObject } from '../db/sql-objects.ts'
import type { Db } from '../db/tables.ts'
import type { LoadedComponent, LoadedModule } from './define-module.ts'
import type { PresentComponent } from './plan.ts'
import { findColumns, findRegistered, type RegistryRow, type WantedColumn } from './queries.ts'

export interface ComponentState extends PresentComponent {
  row: RegistryRow | undefined
}

export type ModuleStates = ReadonlyMap<string, ReadonlyMap<string, ComponentState>>

export async function findComponents(
  db: Db,
  modules: readonly LoadedModule[],
  runtimeScope: string,
): Promise<ModuleStates> {
  const found = await findPresent(db, modules, runtimeScope)
  const lost = await findLost(
    db,
    modules.flatMap(({ components }) => components.flatMap(({ furtherObjects }) => furtherObjects)),
  )
  const names = new Set(lost.map(nameOfObject))
  for (const { id, components } of modules) {
    for (const { component_id, furtherObjects } of components) {
      const state = found.get(id)?.get(component_id)
      if (state) state.intact = !furtherObjects.some((object) => names.has(nameOfObject(object)))
    }
  }
  return found
}

/** Checks only tables and columns, which determine whether a component is available. `intact` is always true. */
export async function findPresent(
  db: Db,
  modules: readonly LoadedModule[],
  runtimeScope: string,
): Promise<ModuleStates> {
  const rows = await findRegistered(db, runtimeScope)
  const isThere = await presence(db, modules)
  return new Map(
    modules.map((module) => {
      const components = module.components.map((component): [string, ComponentState] => {
        const id = component.component_id
        const row = rows.find(({ module_id, component_id }) => module_id === module.id && component_id === id)
        return [id, { row, present: isThere(component), intact: true }]
      })
      return [module.id, new Map(components)]
    }),
  )
}

export const isComplete = (component: PresentComponent | undefined): boolean =>
  component?.row !== undefined && component.present

async function presence(db: Db, modules: readonly LoadedModule[]): Promise<(component: LoadedComponent) => boolean> {
  const found = await findColumns(
    db,
    modules.flatMap(({ components }) => components.flatMap(wantedColumns)),
  )
  const missing = new Set(found.filter(({ exists }) => !exists).map(nameOf))
  return (component) => !wantedColumns(component).some((column) => missing.has(nameOf(column)))
}

export const wantedColumns = ({ objects }: LoadedComponent): WantedColumn[] =>
  objects.flatMap(({ table, columns }) => Object.entries(columns).map(([column, type]) => ({ table, column, type })))

const nameOf = ({ table, column }: WantedColumn): string => `${table}.${column}`
