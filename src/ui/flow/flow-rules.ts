import type { Context } from '../../context.ts'
import { rulesAt, rulesOf, type SignInRules } from '../../http/responses/sign-in-rules.ts'
import type { SignInFlow } from './flow.ts'

/** The rules of the application to which a flow leads. */
export function rulesOfFlow(ctx: Pick<Context, 'config' | 'applications'>, flow: SignInFlow | undefined): SignInRules {
  const application = flow?.client && ctx.applications.latest().ofKey(flow.client.application)
  if (application) return rulesOf([application])
  return flow?.returnTo === undefined ? rulesOf([]) : rulesAt(ctx, new URL(flow.returnTo))
}
