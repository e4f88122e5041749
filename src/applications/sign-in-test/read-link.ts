import type { Application, Context } from '../../context.ts'
import { isReturnAddressOf, rejectionOf } from '../../http/responses/redirects.ts'
import { readSignIn, type SignInRequest } from '../../ui/flow/sign-in-request.ts'
import type { StepProblem } from './test-steps.ts'

export type TestedFlow = SignInRequest['flow'] & { returnTo: string }

/** Checks a link to the sign-in page as the page does, and that it returns to this application. */
export function readLink(ctx: Context, application: Pick<Application, 'id'>, link: URL): TestedFlow | StepProblem {
  const names = [...link.searchParams.keys()]
  const repeated = names.find((name, index) => names.indexOf(name) !== index)
  if (repeated !== undefined) return { reason: 'parameter', detail: repeated.slice(0, 40) }
  const query: Record<string, string> = Object.fromEntries(link.searchParams)
  const { return_to: returnTo } = query
  if (returnTo === undefined) return { reason: 'return_missing' }
  const read = readSignIn(ctx, query, ctx.clock.now())
  if ('wrong' in read) {
    if (read.wrong !== 'return_to') return { reason: 'parameter', detail: read.wrong }
    const { reason, page } = rejectionOf(ctx, returnTo)
    return { reason, detail: reason === 'parameter' ? 'return_to' : page }
  }
  const address = rejectionOf(ctx, returnTo).page
  if (!isReturnAddressOf(ctx, application, returnTo)) return { reason: 'address_of_other_application', detail: address }
  return { ...read.flow, returnTo: read.flow.returnTo ?? returnTo }
}
