import { sql } from 'kysely'
import type { SecondFactor } from '../../src/context.ts'
import type { TestApp } from './test-app.ts'

const method = {
  id: '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf',
  method: 'email',
  status: 'active' as const,
  identifier: 'a***@example.com',
}

/** The simplest implementation of the port: users with `two_factor` must confirm by email. It sends no code. */
export const emailFactor: SecondFactor = {
  requiredMethods: async (_db, user) => (user.two_factor ? [method] : undefined),
  methodsOf: async () => [method],
  isConfirmed: async () => false,
  isRequiredOf: (user) => user.two_factor,
  lacksConfirmation: () => false,
  begin: async (_change, { methods }) => ({ methods, sent: true, expiresIn: 300 }),
  reauthenticate: async () => {},
  offersSignIn: () => false,
  signsIn: async () => false,
  followAddress: async () => {},
  removeAll: async () => {},
  forgetBrowsers: async () => {},
}

export const requireSecondFactor = (app: TestApp, userId: string) =>
  sql`UPDATE users SET two_factor = true WHERE id = ${userId}`.execute(app.ctx.db)

/** Marks the inbox as proven, because only factors set up with a proven inbox survive a password reset. */
export const proveInbox = (app: TestApp, userId: string) =>
  sql`UPDATE users SET is_verified = true WHERE id = ${userId}`.execute(app.ctx.db)
