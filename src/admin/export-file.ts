import { addAbortSignal, Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { attachmentHeaders } from '../http/responses/response-headers.ts'
import { csvLine } from '../lib/csv.ts'
import { minute } from '../lib/time.ts'

const exportTypes = { csv: 'text/csv; charset=utf-8', json: 'application/json; charset=utf-8' } as const

export type ExportFormat = keyof typeof exportTypes

/** Ends exports to clients that read too slowly. */
const exportTimeout = 10 * minute

export interface ExportFile<Row> {
  head: string
  lines(rows: Row[]): string
  end: string
}

export function jsonFile<Row>(member: string, serialize: (row: Row) => string): ExportFile<Row> {
  let isFirst = true
  const lines = (rows: Row[]) => {
    const text = rows.map(serialize).join(',\n')
    const separator = isFirst ? '' : ',\n'
    isFirst = false
    return separator + text
  }
  return { head: `{"success":true,"data":{"${member}":[\n`, lines, end: '\n]}}\n' }
}

export const csvFile = <Row>(names: readonly string[], cellsOf: (row: Row) => unknown[]): ExportFile<Row> => ({
  head: csvLine(names),
  lines: (rows) => rows.map((row) => csvLine(cellsOf(row).map(cell))).join(''),
  end: '',
})

const cell = (value: unknown): string => (value === undefined || value === null ? '' : String(value))

export async function* fileText<Found, Row>(
  batches: AsyncIterable<Found[]>,
  { head, lines, end }: ExportFile<Row>,
  rowsOf: (batch: Found[]) => Promise<Row[]>,
): AsyncGenerator<string> {
  yield head
  for await (const batch of batches) yield lines(await rowsOf(batch))
  yield end
}

/** `start` checks the request and returns the text. If `start` throws, nothing is sent. */
export async function sendExport(
  reply: FastifyReply,
  { name, format }: { name: string; format: ExportFormat },
  start: () => Promise<AsyncGenerator<string>>,
): Promise<FastifyReply> {
  attachmentHeaders(reply, `${name}.${format}`).type(exportTypes[format])
  // A HEAD request must not read all rows, because its response has no body.
  if (reply.request.method === 'HEAD') return reply.send('')
  return reply.send(addAbortSignal(AbortSignal.timeout(exportTimeout), Readable.from(await start())))
}
