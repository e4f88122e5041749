import { connect, type Socket } from 'node:net'

const headEnd = '\r\n\r\n'

/** A keep-alive connection that sends one request at a time. To save CPU time, it parses only the response length. */
export class Connection {
  readonly #socket: Socket
  #received: Buffer | undefined
  #done: ((reply: Buffer) => void) | undefined
  #failed: (error: Error) => void

  constructor(port: number, failed: (error: Error) => void) {
    this.#failed = failed
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#socket.on('error', failed)
    this.#socket.on('close', () => this.#done && this.#failed(new Error('a connection was closed instead of a reply')))
  }

  send(request: Buffer, done: (reply: Buffer) => void): void {
    this.#done = done
    this.#socket.write(request)
  }

  close(): void {
    this.#done = undefined
    this.#socket.destroy()
  }

  #receive(chunk: Buffer): void {
    const reply = this.#received ? Buffer.concat([this.#received, chunk]) : chunk
    const missing = missingBytes(reply)
    this.#received = missing > 0 ? reply : undefined
    if (missing > 0) return
    if (missing < 0) {
      this.#failed(new Error('a reply is longer than it says'))
      return
    }
    const done = this.#done
    this.#done = undefined
    done?.(reply)
  }
}

/** Supports only responses with Content-Length because the measured servers send no others. */
function missingBytes(reply: Buffer): number {
  const end = reply.indexOf(headEnd)
  if (end === -1) return 1
  const length = /\r\ncontent-length: (\d+)/i.exec(reply.toString('latin1', 0, end))?.[1]
  if (length === undefined) throw new Error('a reply without Content-Length')
  return end + headEnd.length + Number(length) - reply.length
}
