import { sql } from 'kysely'
import { cleanUp } from '../../../src/jobs/clean-up.ts'
import { privacy } from '../../../src/modules/privacy/manifest.ts'
import { mailWith, tokenAfter } from '../../email-addresses/change-support.ts'
import { registered, type SignedIn, withSession } from '../../support/people.ts'
import type { Reply, TestApp } from '../../support/test-app.ts'

export const path = '/auth/user/me/privacy'
export const deletionPath = `${path}/delete-request`
export const downloadPath = '/auth/privacy/exports/download'

/** Runs the cleanup jobs, including the module's, which normally run every ten minutes. */
export const cleanUpAll = (app: TestApp): Promise<void> => cleanUp(app.ctx, privacy.cleanupJobs)

export const askForDeletion = (app: TestApp, { sessionToken }: SignedIn, body: unknown = {}): Promise<Reply> =>
  app.post(deletionPath, body, withSession(sessionToken))

/** Advances the clock before the work because the order of events with the same time is undefined. */
export const cancelDeletion = (app: TestApp, { sessionToken }: SignedIn): Promise<Reply> =>
  apart(app, () => app.call('DELETE', deletionPath, withSession(sessionToken)))

export async function apart<Result>(app: TestApp, work: () => Promise<Result>): Promise<Result> {
  app.clock.advance(1)
  const result = await work()
  app.clock.advance(1)
  return result
}

export const deletionOf = async (app: TestApp, { sessionToken }: SignedIn) =>
  (await app.get(deletionPath, withSession(sessionToken))).json.data

/** The names and sources of a user's audit events, oldest first. */
export async function historyOf(app: TestApp, userId: string): Promise<string[]> {
  const { rows } = await sql<{ entry: string }>`SELECT event || ' ' || source AS entry FROM user_privacy_events
    WHERE user_id = ${userId} ORDER BY created_at, id`.execute(app.ctx.db)
  return rows.map(({ entry }) => entry)
}

/** Calls each of the module's operations successfully, and some of them with an error as well. */
export async function privacyLife(
  app: TestApp,
  check: (method: string, url: string, reply: Reply) => Reply,
  admin: ReturnType<typeof withSession>,
): Promise<void> {
  const alan = await registered(app, 'alan')
  const own = withSession(alan.sessionToken)
  const call = async (method: string, url: string, body?: unknown, as = own) =>
    check(method, url, await app.call(method, url, { body, ...as }))
  await call('PUT', path, { gdpr_consent: true, gdpr_consent_version: '1', ccpa_opt_out: true })
  await call('PUT', path, {})
  for (const part of ['', '/history', '/export', '/delete-request']) await call('GET', `${path}${part}`)
  const onBehalf = `/auth/admin/users/${alan.id}/privacy`
  await call('POST', `${path}/exports`, {})
  const linkOf = async (earlier: number) =>
    tokenAfter(await mailWith(app, alan.email, downloadPath, earlier), downloadPath)
  await call('GET', `${downloadPath}?token=${await linkOf(0)}&format=json`)
  await call('POST', `${onBehalf}/export`, {}, admin)
  await call('GET', '/auth/admin/privacy/requests', undefined, admin)
  const token = await linkOf(1)
  for (let time = 0; time < 2; time++) await call('POST', downloadPath, { token })
  for (const url of [path, onBehalf]) {
    const as = url === path ? own : admin
    await call('POST', `${url}/delete-request`, {}, as)
    for (let time = 0; time < 2; time++) await call('DELETE', `${url}/delete-request`, undefined, as)
  }
}
