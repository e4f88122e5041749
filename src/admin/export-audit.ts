import { type EventFilters, readEventFilter } from '../audit/event-filter.ts'
import { withLabels } from '../audit/list-events.ts'
import { countEvents, type EventRow, findEventsBefore } from '../audit/queries.ts'
import { recordAudit } from '../audit/record.ts'
import { AuditEventSchema } from '../audit/schemas.ts'
import type { Context, SessionView } from '../context.ts'
import type { RequestDevice } from '../http/access/device.ts'
import { compileSerializer } from '../http/parsing/validation.ts'
import { AppError, invalidField } from '../lib/errors.ts'
import { isUnendedSession } from '../sessions/queries.ts'
import { assertRecentProof } from '../sessions/session.ts'
import { csvFile, type ExportFormat, fileText, jsonFile } from './export-file.ts'

const maxEvents = 100_000
const batchSize = 500

/** Requires recent authentication. The export's audit event is written before the first event is read. */
export async function exportAudit(
  ctx: Context,
  view: SessionView,
  device: RequestDevice | undefined,
  { format, ...filters }: EventFilters & { format: ExportFormat },
): Promise<AsyncGenerator<string>> {
  assertRecentProof(ctx, view)
  // Without an end time, the file would contain this export's own audit event.
  const filter = { ...readEventFilter(view.user, filters) }
  filter.to ??= ctx.clock.date()
  const rows = await countEvents(ctx.db, filter, maxEvents + 1)
  if (rows > maxEvents) throw invalidField('query', `matches more than ${maxEvents} events: add a filter, such as from`)
  await recordAudit(ctx, { event: 'audit_exported', actor: view.user, device, details: { filters, rows } })
  const file = format === 'csv' ? csvOfEvents() : jsonFile('events', serialize)
  return fileText(batchesOf(ctx, view, filter), file, (events) => withLabels(ctx.db, events))
}

/** Reads each batch in a separate statement because a slow client would keep a transaction open. */
async function* batchesOf(ctx: Context, { session }: SessionView, filter: ReturnType<typeof readEventFilter>) {
  let last: EventRow | undefined
  for (let rows = 0; rows < maxEvents; ) {
    // The session may have ended since the last batch.
    if (!(await isUnendedSession(ctx.db, session.id))) throw new AppError('INVALID_SESSION')
    const events = await findEventsBefore(ctx.db, filter, last, Math.min(batchSize, maxEvents - rows))
    if (events.length > 0) yield events
    if (events.length < batchSize) return
    last = events.at(-1)
    rows += events.length
  }
}

type LabelledEvent = Awaited<ReturnType<typeof withLabels>>[number]

/** Fastify does not apply the response schema to streams, so each event is serialized here. */
const serialize = compileSerializer({ schema: AuditEventSchema })

const csvOfEvents = () => {
  const names = Object.keys(AuditEventSchema.properties)
  return csvFile(names, (event: LabelledEvent) => {
    const members = JSON.parse(serialize(event))
    return names.map((name) => (name === 'details' ? JSON.stringify(members.details) : members[name]))
  })
}
