import { positionEvents } from '../../src/events/assign-positions.ts'
import { findEventsAfter } from '../../src/events/queries.ts'
import type { TestApp } from './test-app.ts'

export interface RecordedEvent {
  type: string
  data: Record<string, unknown>
}

/** All events of the application so far, in order. */
export async function recordedEvents(app: TestApp): Promise<RecordedEvent[]> {
  await positionEvents(app.ctx)
  return (await findEventsAfter(app.ctx.db, 0, 10_000)).map(({ type, data }) => ({ type, data }))
}

/** The events that `work` causes. */
export async function eventsDuring(app: TestApp, work: () => Promise<unknown>): Promise<RecordedEvent[]> {
  const { length } = await recordedEvents(app)
  await work()
  return (await recordedEvents(app)).slice(length)
}
