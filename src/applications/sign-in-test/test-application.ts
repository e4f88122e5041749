import { asStaff } from '../../admin/as-staff.ts'
import { recordAudit } from '../../audit/record.ts'
import type { Context, RequestDevice } from '../../context.ts'
import { findReturnAddress, isReturnAddressOf } from '../../http/responses/redirects.ts'
import { AppError, invalidField } from '../../lib/errors.ts'
import { looksLikeId } from '../../lib/ids.ts'
import { isWeb } from '../../lib/return-address.ts'
import type { ApplicationRequest } from '../change-application.ts'
import { type ApplicationRow, findApplication } from '../queries.ts'
import { createCookieJar } from './cookie-jar.ts'
import { type TestBrowser, testUserAgent } from './open-page.ts'
import { runSteps } from './run-steps.ts'
import { allSteps, failedStep, outcomeOf, skippedStep, type TestOutcome, type TestStep } from './test-steps.ts'
import { eraseInterruptedTests, eraseTestUsers, maxTestTime, signInTestUser } from './test-user.ts'

export interface ApplicationTestResult {
  outcome: TestOutcome
  steps: TestStep[]
}

/** Signs a new user in to the application, and deletes the user afterwards. */
export async function testApplication(
  ctx: Context,
  request: ApplicationRequest,
  { page }: { page?: string },
): Promise<ApplicationTestResult> {
  await eraseInterruptedTests(ctx, 10)
  const device = testDevice(request.principal.device)
  const attempt = { permission: 'applications:manage', deed: 'test_application' } as const
  const begun = await asStaff(ctx, request, attempt, async (tx) => {
    const application = looksLikeId(request.id) ? await findApplication(tx.db, request.id) : undefined
    if (!application || application.deleted_at) throw new AppError('NOT_FOUND')
    const start = startOf(ctx, application, page)
    if (!application.is_enabled || !start) return { application, start }
    return { application, start, created: await signInTestUser(tx, application, device) }
  })
  const { application, start, created } = begun
  const isSinglePage = application.kind === 'single_page'
  const finish = async (found: readonly TestStep[]) => {
    const steps = allSteps(found, isSinglePage)
    const result = { outcome: outcomeOf(steps), steps }
    await record(ctx, request, application, result)
    return result
  }
  if (!application.is_enabled) return finish([failedStep('page', { reason: 'application_disabled' })])
  if (!start || !created) return finish([skippedStep('page', 'no_pages')])
  try {
    const browser = browserFor(ctx, application)
    const test = { application, start, isNamed: page !== undefined, browser, created, device }
    return await finish(await runSteps(ctx, { ...test, startedAt: created.view.session.created_at }))
  } finally {
    await eraseTestUsers(ctx, [created.view.user.id])
  }
}

const testDevice = (device: RequestDevice | undefined): RequestDevice => ({
  address: device?.address ?? '',
  userAgent: testUserAgent,
  device: 'Wardenry',
  acceptLanguage: undefined,
  method: device?.method ?? 'POST',
  requestId: device?.requestId ?? '',
})

/** The named page, or the first return address that is a page. Undefined if there is none. */
function startOf(ctx: Context, application: ApplicationRow, page: string | undefined): URL | undefined {
  if (page === undefined) return webAddressesOf(application)[0]
  const url = URL.parse(page)
  if (!url || url.username || url.password || !isPageOf(ctx, application, url))
    throw invalidField('page', 'must be on the host of a return address of the application')
  return url
}

const webAddressesOf = ({ addresses }: ApplicationRow): URL[] =>
  addresses
    .filter(({ kind }) => kind === 'return')
    .map(({ address }) => new URL(address))
    .filter(({ protocol }) => isWeb(protocol))

/** Whether the URL is at or below a return address, or on its host and not one of another application. */
function isPageOf(ctx: Context, application: ApplicationRow, url: URL): boolean {
  if (!isWeb(url.protocol)) return false
  if (isReturnAddressOf(ctx, application, url.href)) return true
  const owner = findReturnAddress(ctx, url.href)?.application
  return (
    (!owner || owner.id === application.id) && webAddressesOf(application).some(({ origin }) => origin === url.origin)
  )
}

const browserFor = (ctx: Context, application: ApplicationRow): TestBrowser => ({
  jar: createCookieJar(() => ctx.clock.now()),
  signal: AbortSignal.timeout(maxTestTime),
  service: new URL(ctx.config.PUBLIC_URL).origin,
  mayBePrivate: ctx.config.EVENT_ALLOW_PRIVATE_HOSTS,
  mayOpen: (url) => isPageOf(ctx, application, url),
})

function record(
  ctx: Context,
  { principal: { actor, device } }: ApplicationRequest,
  { id, key }: ApplicationRow,
  { outcome, steps }: ApplicationTestResult,
): Promise<void> {
  const failed = steps.find((step) => step.outcome === 'failed')
  const details = { application: id, key, result: outcome, ...(failed && { step: failed.step, reason: failed.reason }) }
  return recordAudit(ctx, { event: 'application_tested', actor, device, details })
}
