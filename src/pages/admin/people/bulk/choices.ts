import { adminTextsFor } from '../../texts/index.ts'

/** Not below the page of users, where the next part of a path is the id of a user. */
export const bulkPath = '/admin/bulk/people'
export const bulkConfirmPath = `${bulkPath}/confirm`

const forLiving = ['block', 'unblock', 'end_sessions', 'set_role', 'delete'] as const
const forDeleted = ['restore'] as const

export type BulkAction = (typeof forLiving)[number] | (typeof forDeleted)[number]

export const bulkActions: readonly BulkAction[] = [...forLiving, ...forDeleted]

export function bulkActionsFor(lang: string, deleted: boolean): { value: BulkAction; label: string }[] {
  const { actions } = adminTextsFor(lang).bulk
  return (deleted ? forDeleted : forLiving).map((value) => ({ value, label: actions[value].label }))
}

/** As many rows as the list can have. A form cannot send the same member twice, so each row has its own. */
export const maxPicks = 100

export const pickedIds = (members: Readonly<Record<string, string | undefined>>): string[] => [
  ...new Set(Array.from({ length: maxPicks }, (_, index) => members[`pick${index}`]).filter((id) => id !== undefined)),
]
