import type { UserAction } from '../../../../../ui/console/console-part.ts'
import { block, deleteUser, endSessions, impersonate, resetPasskeys, restore, unblock } from './access-actions.ts'
import { giveRole, takeRole } from './application-role.ts'
import { changeRole } from './change-role.ts'
import { inviteAgain, sendReset, sendSignInLink, sendVerification } from './message-actions.ts'
import { changeEmail, edit, verify } from './profile-actions.ts'

/** The core's actions, in page order. */
export const coreActions = (now: () => number, isUsed: (field: string) => boolean): UserAction[] => [
  inviteAgain,
  edit(isUsed),
  changeRole(now),
  giveRole(now),
  takeRole,
  sendReset,
  sendSignInLink,
  sendVerification,
  verify,
  changeEmail,
  endSessions,
  resetPasskeys,
  impersonate,
  block(now),
  unblock,
  deleteUser,
  restore,
]
