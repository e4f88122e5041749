import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { AppError, type FieldProblem } from '../../lib/errors.ts'
import type { HttpEdge } from './edge.ts'
import { errorBody } from './error-handler.ts'

/** Responds to requests that Node.js rejects before they reach Fastify, and closes the connection. */
export function clientErrorHandlers(edge: HttpEdge, newRequestId: () => string) {
  const respond = (socket: Socket, status: string, problem: FieldProblem): void => {
    if (!socket.writable) return
    const requestId = newRequestId()
    const body = JSON.stringify(errorBody(new AppError('VALIDATION_ERROR', { details: [problem] }), requestId))
    const headers = {
      ...edge.headersOf(requestId, edge.limits.countLocally('read', edge.addressKey({ socket, headers: {} }))),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`)
  }
  return {
    rejectBytes(error: Error & { code?: string }, socket: Socket): void {
      if (error.code === 'ECONNRESET') return
      const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
      respond(socket, isLate ? '408 Request Timeout' : '400 Bad Request', problemOf(error))
    },
    /** CONNECT would turn the connection into a tunnel. */
    rejectTunnel(_request: IncomingMessage, stream: Duplex): void {
      stream.on('error', () => {})
      respond(stream as Socket, '400 Bad Request', { field: 'method', message: 'must not be CONNECT' })
    },
  }
}

function problemOf({ code }: { code?: string }): FieldProblem {
  if (code === 'HPE_HEADER_OVERFLOW') return { field: 'headers', message: 'must have at most 16384 bytes' }
  return {
    field: 'request',
    message: code === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'took too long to arrive' : 'is not valid HTTP/1.1',
  }
}
