import type { Socket } from 'node:net'
import { AppError, type FieldProblem } from '../lib/errors.ts'
import type { Edge } from './edge.ts'
import { errorBody } from './error-handler.ts'

/** What never became a request: unreadable bytes, too many headers, too slow. Answered in our form, then closed. */
export const clientErrorHandler =
  (edge: Edge, newRequestId: () => string) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return
    const requestId = newRequestId()
    const body = JSON.stringify(errorBody(new AppError('VALIDATION_ERROR', { details: [problemOf(error)] }), requestId))
    const status = error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request'
    const headers = {
      ...edge.headersOf(requestId, edge.limits.countLocally('read', edge.addressKey({ socket, headers: {} }))),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  }

function problemOf({ code }: { code?: string }): FieldProblem {
  if (code === 'HPE_HEADER_OVERFLOW') return { field: 'headers', message: 'must have at most 16384 bytes' }
  return {
    field: 'request',
    message: code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'took too long to arrive' : 'is not valid HTTP/1.1',
  }
}
