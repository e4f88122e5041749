import { adminTextsFor } from '../../../../ui/console/texts/index.ts'

/** The path is not below `/admin/people`, because the next segment there is a user id. */
export const bulkPath = '/admin/bulk/people'
export const bulkConfirmPath = `${bulkPath}/confirm`

const forLiving = ['block', 'unblock', 'end_sessions', 'set_role', 'grant_role', 'revoke_role', 'delete'] as const
const forDeleted = ['restore'] as const

export type BulkAction = (typeof forLiving)[number] | (typeof forDeleted)[number]

/** Maps each action to the one that reverts it. Other actions cannot be reverted for several users at once. */
export const reverting: Readonly<Partial<Record<BulkAction, BulkAction>>> = { block: 'unblock', delete: 'restore' }

export const bulkActions: readonly BulkAction[] = [...forLiving, ...forDeleted]

const ofRoles: readonly BulkAction[] = ['grant_role', 'revoke_role']

export function bulkActionsFor(
  lang: string,
  { deleted, applicationRoles }: { deleted: boolean; applicationRoles: readonly string[] },
): { value: BulkAction; label: string }[] {
  const { actions } = adminTextsFor(lang).bulk
  const offered = (deleted ? forDeleted : forLiving).filter(
    (action) => applicationRoles.length > 0 || !ofRoles.includes(action),
  )
  return offered.map((value) => ({ value, label: actions[value].label }))
}

/** The maximum number of selected users. Each has its own form field because a form must not repeat a field. */
export const maxPicks = 100

export const pickedIds = (members: Readonly<Record<string, string | undefined>>): string[] => [
  ...new Set(Array.from({ length: maxPicks }, (_, index) => members[`pick${index}`]).filter((id) => id !== undefined)),
]
