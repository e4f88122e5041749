import type { BridgeRight } from '../../db/rows/applications.ts'

/** For API documents and messages. Each names the routes that require the right. */
export const bridgeRights = {
  sessions: 'sign users in, validate, redeem and verify their sessions, and follow the end of sessions',
  users: 'read and change users',
  events: 'read the events of all users',
  permissions: 'declare the permissions of its application',
} as const satisfies Record<BridgeRight, string>

export const bridgeRightNames = Object.keys(bridgeRights) as BridgeRight[]
