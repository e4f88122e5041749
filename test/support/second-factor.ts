import { sql } from 'kysely'
import type { SecondFactor } from '../../src/context.ts'
import type { TestApp } from './test-app.ts'

const method = {
  id: '01a1f9c7-c1cb-7224-b5ca-dee52c4e92cf',
  method: 'email',
  status: 'active' as const,
  identifier: 'a***@example.com',
}

/**
 * A minimal implementation of the second-factor port: users with `two_factor` must confirm by email, but no code is
 * sent.
 */
export const emailFactor: SecondFactor = {
  requiredMethods: async (_db, user) => (user.two_factor ? [method] : undefined),
  methodsOf: async () => [method],
  isConfirmed: async () => false,
  isRequiredOf: (user) => user.two_factor,
  lacksConfirmation: () => false,
  begin: async (_change, { methods }) => ({ methods, sent: true, expiresIn: 300 }),
  reauthenticate: async () => {},
  followAddress: async () => {},
  removeAll: async () => {},
  forgetBrowsers: async () => {},
}

export const requireSecondFactor = (app: TestApp, userId: string) =>
  sql`UPDATE users SET two_factor = true WHERE id = ${userId}`.execute(app.ctx.db)

/**
 * Marks the email address as verified. A password reset removes second factors that were set up before the address was
 * verified.
 */
export const proveInbox = (app: TestApp, userId: string) =>
  sql`UPDATE users SET is_verified = true WHERE id = ${userId}`.execute(app.ctx.db)
