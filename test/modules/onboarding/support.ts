import { registered, type SignedIn, withSession } from '../../support/people.ts'
import type { Reply, TestApp } from '../../support/test-app.ts'

export const base = '/api/v1/onboarding'

/** Functions that send requests as one user. */
export const asPerson = (app: TestApp, { sessionToken }: Pick<SignedIn, 'sessionToken'>) => ({
  state: () => app.get(base, withSession(sessionToken)),
  post: (path: string, body?: unknown) => app.post(`${base}${path}`, body, withSession(sessionToken)),
  complete: (body: unknown) => app.post(`${base}/complete`, body, withSession(sessionToken)),
  me: async () => (await app.get('/auth/me', withSession(sessionToken))).json.user,
})

/** A value for each write-only member. All of them contain `canary` so that they can be found in output. */
export const acquisition = (canary: string) => ({
  acquisition_source: `${canary} source`,
  acquisition_medium: `${canary} medium`,
  acquisition_campaign: `${canary} campaign`,
  acquisition_term: `${canary} term`,
  acquisition_content: `${canary} content`,
  acquisition_referrer: `https://example.com/${canary}-referrer`,
  acquisition_landing_page: `https://example.com/${canary}-landing`,
  acquisition_channel: `${canary} channel`,
  acquisition_detail: `${canary} detail\nin two lines`,
  acquisition_utm_id: `${canary} utm`,
  acquisition_2nd: `${canary} second`,
})

/** A user's write-only data in the database. */
export async function keptOf(app: TestApp, { id }: Pick<SignedIn, 'id'>): Promise<Record<string, unknown>> {
  const [row = {}] = await app.database.query<Record<string, unknown>>(
    'SELECT * FROM user_acquisition WHERE user_id = $1',
    [id],
  )
  const { user_id: _user, updated_at: _updated, acquired_at: _acquired, acquisition_extra, ...columns } = row
  const given = Object.entries(columns).filter(([, value]) => value !== null)
  return { ...Object.fromEntries(given), ...(acquisition_extra as object) }
}

/** Calls each of the module's operations: all steps of the wizard, and then a step after completion. */
export async function onboardingLife(
  app: TestApp,
  check: (method: string, url: string, reply: Reply) => Reply,
): Promise<void> {
  const own = withSession((await registered(app)).sessionToken)
  check('GET', base, await app.get(base, own))
  const moves: [path: string, body?: object][] = [
    [`${base}/start`, { from: 'mail' }],
    [`${base}/steps/company/complete`, { size: 7 }],
    [`${base}/steps/team/skip`],
    [`${base}/complete`, { is_business: true, biz_name: 'Firm', ...acquisition('canary of a life') }],
    [`${base}/complete`, { is_business: true, biz_name: '' }],
    ['/auth/user/me/onboarding', { biz_country: 'GB' }],
    [`${base}/steps/team/skip`],
  ]
  for (const [path, body] of moves) check('POST', path, await app.post(path, body, own))
}
