import assert from 'node:assert/strict'
import { positionEvents } from '../../src/events/assign-positions.ts'
import { hasUnpositioned } from '../../src/events/queries.ts'
import { createDeliveries } from '../../src/webhooks/create-deliveries.ts'
import { hasNewEvents } from '../../src/webhooks/delivery-queries.ts'
import { eventually } from '../support/eventually.ts'
import { type SignedIn, signedInAs, withSession } from '../support/people.ts'
import { type Reply, startTestApp, type TestApp, type TestClock } from '../support/test-app.ts'

export interface Owner {
  superadmin: SignedIn
  call(method: string, path?: string, body?: unknown): Promise<Reply>
  create(input: Record<string, unknown>): Promise<{ id: string; secret: string }>
  get(id: string): Promise<Record<string, unknown>>
}

export async function ownerOf(app: TestApp): Promise<Owner> {
  const superadmin = await signedInAs(app, 'superadmin')
  const call = (method: string, path = '', body?: unknown) =>
    app.call(method, `/auth/admin/webhooks${path}`, { ...withSession(superadmin.sessionToken), body })
  return {
    superadmin,
    call,
    async create(input) {
      await settled(app)
      const { status, json, text } = await call('POST', '', { events: ['*'], ...input })
      assert.equal(status, 200, text)
      return { id: json.data.webhook.id, secret: json.data.secret }
    },
    get: async (id) => (await call('GET', `/${id}`)).json.data,
  }
}

/** Waits until all events so far have their deliveries, so that the next webhook receives only later events. */
const settled = ({ ctx }: TestApp) =>
  eventually(async () => {
    await positionEvents(ctx)
    await createDeliveries(ctx)
    return !(await hasUnpositioned(ctx.db)) && !(await hasNewEvents(ctx.db))
  })

export const startOpenApp = (env: Record<string, string> = {}, clock?: TestClock): Promise<TestApp> =>
  startTestApp({
    ...(clock && { clock }),
    env: {
      EVENT_ALLOW_PRIVATE_HOSTS: 'true',
      ADMIN_SESSION_IDLE_TTL: '90d',
      ADMIN_SESSION_ABSOLUTE_TTL: '90d',
      REAUTH_WINDOW: '1d',
      ...env,
    },
  })

/** Moves the test clock until the condition holds. The service polls in real time, so each step waits for a while. */
export async function advancingUntil(app: TestApp, step: number, isTrue: () => boolean | Promise<boolean>) {
  let next = performance.now() + 100
  await eventually(
    async () => {
      if (await isTrue()) return true
      if (performance.now() >= next) {
        app.clock.advance(step)
        next = performance.now() + 100
      }
      return false
    },
    180_000,
    () => `advancing: ${isTrue}`,
  )
}
