import type { Context } from '../context.ts'
import { bridgeSecretNames } from '../http/access/bridge-secret.ts'
import { day, iso } from '../lib/time.ts'
import { findActivityState } from './activity-queries.ts'
import { findSessionFigures, findUsage, sessionAges, sessionDevices, type UsageFigures } from './usage-queries.ts'

/** The longest reporting period. Older counts are deleted. */
export const usageKept = 30 * day

const periodsOf = ({ clock }: Context) => ({
  day: new Date(clock.now() - day),
  month: new Date(clock.now() - usageKept),
})

/** Lists only configured secrets, and never returns their values. */
export async function listBridgeSecrets(ctx: Context) {
  const useOf = await bridgeSecretUses(ctx)
  return bridgeSecretNames(ctx.config).map((name) => ({ name, ...useOf(name) }))
}

/** By the secret's name, or by its id if it belongs to an application. */
export async function bridgeSecretUses(ctx: Context, names: readonly string[] | null = null) {
  const used = await findUsage(ctx.db, 'bridge_secret', periodsOf(ctx), names)
  return (name: string) => {
    const found = used.find((one) => one.name === name)
    return { last_used_at: found ? iso(found.last_at) : null, ...requestsOf(found) }
  }
}

/** The sign-ins that were handed over to these applications. */
export async function signInsOf(ctx: Context, ids: readonly string[]) {
  const used = await findUsage(ctx.db, 'application', periodsOf(ctx), ids)
  const byId = new Map(used.map((one) => [one.name, one]))
  return (id: string) => {
    const found = byId.get(id)
    return {
      last_sign_in_at: found ? iso(found.last_at) : null,
      sign_ins_last_day: found?.last_day ?? 0,
      sign_ins_last_month: found?.last_month ?? 0,
    }
  }
}

const requestsOf = (found: UsageFigures | undefined) => ({
  requests_last_day: found?.last_day ?? 0,
  requests_last_month: found?.last_month ?? 0,
})

/** Reads only counts, so the request time does not depend on the number of sessions or rejected requests. */
export async function readSecurityFigures(ctx: Context) {
  const state = await findActivityState(ctx.db)
  const figures = await findSessionFigures(ctx.db)
  const refusals = await findUsage(ctx.db, 'rate_limit', periodsOf(ctx), null)
  const countOf = (age: string, device: string) =>
    figures.find((one) => one.age === age && one.device === device)?.count ?? 0
  return {
    measured_at: state?.measured_at ? iso(state.measured_at) : null,
    sessions: sessionAges.map((age) => {
      const [computer, mobile, other] = sessionDevices.map((device) => countOf(age, device))
      return { age, computer: computer ?? 0, mobile: mobile ?? 0, other: other ?? 0 }
    }),
    refusals: refusals
      .filter(({ last_month }) => last_month > 0)
      .map((one) => ({ class: one.name, last_refused_at: iso(one.last_at), ...requestsOf(one) })),
  }
}
