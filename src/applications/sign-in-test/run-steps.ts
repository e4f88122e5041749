import type { Context, RequestDevice } from '../../context.ts'
import { transact } from '../../db/transact.ts'
import { issueHandoverCode } from '../../handover/issue-code.ts'
import { findCode } from '../../handover/queries.ts'
import { allowedOrigins } from '../../http/access/origins.ts'
import { sessionCookie } from '../../http/cookies/session-cookie.ts'
import { withQuery } from '../../http/responses/redirects.ts'
import { AppError } from '../../lib/errors.ts'
import { sha256Bytes } from '../../lib/hash.ts'
import type { CreatedSession } from '../../sessions/create-session.ts'
import type { ApplicationRow } from '../queries.ts'
import { findBridgeProblem } from './find-problem.ts'
import { type OpenedPage, openPage, type TestBrowser } from './open-page.ts'
import { readLink, type TestedFlow } from './read-link.ts'
import { failedStep, passedStep, type StepProblem, skippedStep, type TestStep } from './test-steps.ts'

export interface SignInTest {
  application: Pick<ApplicationRow, 'id' | 'kind'>
  start: URL
  /** Whether the administrator has named the page. */
  isNamed: boolean
  browser: TestBrowser
  created: CreatedSession
  device: RequestDevice
  startedAt: Date
}

/** Signs the test user in as a browser would. Returns the steps up to the first one that failed. */
export async function runSteps(ctx: Context, test: SignInTest): Promise<TestStep[]> {
  const { application, browser } = test
  const { start, visit } = await openStart(test)
  const problem = pageProblem(visit)
  if (problem) return [failedStep('page', problem, visit)]
  const page = passedStep('page', visit)
  if (visit.problem) return [page, failedStep('sign_in', visit.problem, visit)]
  if (visit.signIn === undefined) {
    if (application.kind === 'single_page') return [page, originStep(ctx, visit), skippedStep('sign_in', 'in_browser')]
    return [page, failedStep('sign_in', { reason: 'no_redirect' }, visit)]
  }
  const flow = readLink(ctx, application, visit.signIn)
  if ('reason' in flow) return [page, failedStep('sign_in', flow, visit)]
  const hasCookie = browser.jar.headerFor(new URL(flow.returnTo)) !== undefined
  const target = await targetOf(ctx, test, flow)
  if ('reason' in target) return [page, failedStep('sign_in', target, visit)]
  const rest = await returnSteps(ctx, { ...test, start }, { ...target, hasCookie })
  return [page, passedStep('sign_in', visit), ...rest]
}

/** A redirect to another host is a wrong way to the sign-in page. */
const pageProblem = (visit: OpenedPage): StepProblem | undefined =>
  visit.problem?.reason === 'other_host'
    ? undefined
    : (visit.problem ?? statusProblem(visit, (status) => status === 404 || status >= 500))

/** The sign-in path of @wardenry/server. */
const signInPath = '/sign-in'

/** If nobody has named a page and the first one is public, tries the page that leads to the sign-in page. */
async function openStart({
  application,
  start,
  isNamed,
  browser,
}: SignInTest): Promise<{ start: URL; visit: OpenedPage }> {
  const visit = await openPage(browser, start)
  const other = new URL(signInPath, start)
  const isFinal = isNamed || application.kind !== 'website' || visit.signIn || visit.problem
  if (isFinal || !browser.mayOpen(other)) return { start, visit }
  const second = await openPage(browser, other)
  return second.signIn ? { start: other, visit: second } : { start, visit }
}

const originStep = (ctx: Context, { at }: OpenedPage): TestStep =>
  allowedOrigins(ctx).has(at.origin)
    ? passedStep('origin', { at })
    : failedStep('origin', { reason: 'origin_not_declared', detail: at.origin }, { at })

interface Target {
  url: URL
  /** Undefined if the application uses the service's own cookie. */
  codeHash: Buffer | undefined
}

/** The address to which the sign-in page would send the browser. */
async function targetOf(ctx: Context, test: SignInTest, flow: TestedFlow): Promise<Target | StepProblem> {
  const { created, browser, device } = test
  const { returnTo, codeChallenge, state } = flow
  const host = new URL(returnTo).host
  if (codeChallenge === undefined) {
    const { sessionToken } = created
    browser.jar.store(new URL(ctx.config.PUBLIC_URL), [sessionCookie(ctx.config, sessionToken, 60)])
    const sent = browser.jar.headerFor(new URL(returnTo)) ?? ''
    if (!sent.includes(sessionToken)) return { reason: 'no_shared_cookie', detail: host }
    return { url: new URL(withQuery(returnTo, { state })), codeHash: undefined }
  }
  try {
    const input = { session: created.view.session, returnTo, codeChallenge, device }
    const { code } = await transact(ctx, (tx) => issueHandoverCode(tx, input))
    return { url: new URL(withQuery(returnTo, { code, state })), codeHash: sha256Bytes(code) }
  } catch (error) {
    if (error instanceof AppError) return { reason: 'no_code', detail: error.message }
    throw error
  }
}

async function returnSteps(
  ctx: Context,
  test: SignInTest,
  { url, codeHash, hasCookie }: Target & { hasCookie: boolean },
): Promise<TestStep[]> {
  const visit = await openPage(test.browser, url)
  const { first: status, at } = visit
  if (status === undefined) return [failedStep('return', visit.problem ?? { reason: 'unreachable' }, { at })]
  if (codeHash === undefined) {
    const arrived = passedStep('return', { at: url, status })
    return [
      arrived,
      skippedStep('redeem', 'shared_session'),
      await sessionStep(ctx, test, { visit, isRedeemed: false }),
    ]
  }
  const code = await findCode(ctx.db, codeHash)
  const problem = await findBridgeProblem(ctx, runOf(test))
  if (code?.child_session_id && problem?.reason !== 'used') {
    const steps = [passedStep('return', { at: url, status }), passedStep('redeem')]
    return [...steps, await sessionStep(ctx, test, { visit, isRedeemed: true })]
  }
  if (!problem && (status === 404 || status >= 500))
    return [failedStep('return', { reason: 'status' }, { at: url, status })]
  const reason = hasCookie ? 'not_redeemed' : 'no_cookie'
  return [passedStep('return', { at: url, status }), failedStep('redeem', problem ?? { reason }, { at: url, status })]
}

/** Whether the page from which the sign-in began can now be opened. */
async function sessionStep(
  ctx: Context,
  test: SignInTest,
  { visit, isRedeemed }: { visit: OpenedPage; isRedeemed: boolean },
): Promise<TestStep> {
  const isSamePage = visit.at.href === test.start.href || test.start.pathname === signInPath
  const last = isSamePage || sessionProblem(visit) ? visit : await openPage(test.browser, test.start)
  const problem = sessionProblem(last)
  if (!problem) return passedStep('session', last)
  const isRejected = problem.reason === 'signed_out' || problem.reason === 'status'
  const cause = isRejected ? await findBridgeProblem(ctx, runOf(test)) : undefined
  // An application that has redeemed a code knows a secret.
  return failedStep('session', cause && !(isRedeemed && cause.reason === 'secret') ? cause : problem, last)
}

const sessionProblem = (visit: OpenedPage): StepProblem | undefined =>
  visit.problem ?? (visit.signIn ? { reason: 'signed_out' } : statusProblem(visit, (status) => status >= 400))

const statusProblem = ({ status = 0 }: OpenedPage, isWrong: (status: number) => boolean): StepProblem | undefined =>
  isWrong(status) ? { reason: 'status' } : undefined

const runOf = ({ application, created, startedAt }: SignInTest) => ({
  applicationId: application.id,
  userId: created.view.user.id,
  startedAt,
})
