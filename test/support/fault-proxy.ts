import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** A TCP proxy on loopback that can behave like a bad network. Faults add up until `heal`. */
export interface FaultProxy {
  port: number
  /** `url` with this proxy in place of its host and port. */
  through(url: string): string
  /** Delays every byte by this many milliseconds, in both directions. */
  latency(milliseconds: number): void
  /** Splits data into pieces of at most this size. */
  slice(bytes: number): void
  /** Resets all connections, including new ones. */
  cut(): void
  /** New connections lead to another port. Open connections are not affected. */
  retarget(port: number): void
  /**
   * Connections stay open and can be opened, but nothing passes. Data sent in the meantime arrives after `heal`, as
   * with TCP.
   */
  blackhole(): void
  heal(): void
  stop(): Promise<void>
}

interface Faults {
  latency: number
  slice: number
  isCut: boolean
  /** Resolves when data may pass again. */
  blackhole?: PromiseWithResolvers<void>
}

const none: Faults = { latency: 0, slice: Number.POSITIVE_INFINITY, isCut: false, blackhole: undefined }

export async function startFaultProxy(firstPort: number): Promise<FaultProxy> {
  let targetPort = firstPort
  const faults = { ...none }
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
    if (faults.isCut) return void client.resetAndDestroy()
    const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true, allowHalfOpen: true })
    for (const socket of [client, target]) {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    }
    forward(client, target, faults)
    forward(target, client, faults)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo

  return {
    port,
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    latency: (milliseconds) => void Object.assign(faults, { latency: milliseconds }),
    slice: (bytes) => void Object.assign(faults, { slice: bytes }),
    cut() {
      faults.isCut = true
      for (const socket of sockets) reset(socket)
    },
    retarget(port) {
      targetPort = port
    },
    blackhole() {
      faults.blackhole ??= Promise.withResolvers()
    },
    heal() {
      faults.blackhole?.resolve()
      Object.assign(faults, none)
    },
    async stop() {
      server.close()
      for (const socket of sockets) socket.destroy()
      faults.blackhole?.resolve()
      await once(server, 'close')
    },
  }
}

/**
 * Keeps the order of the data. Each chunk waits for the previous one, for its own arrival time, and for the end of a
 * blackhole.
 */
function forward(from: Socket, to: Socket, faults: Faults): void {
  let last = Promise.resolve()
  const later = (pass: () => unknown) => {
    const due = performance.now() + faults.latency
    last = last.then(async () => {
      if (due > performance.now()) await sleep(due - performance.now())
      await faults.blackhole?.promise
      if (!to.destroyed) await pass()
    })
  }
  from.on('data', (chunk: Buffer) => later(() => write(to, chunk, faults.slice)))
  from.on('end', () => later(() => to.end()))
  // Passes on a reset to the other side. An ordinary end has been passed on before.
  from.on('error', () => reset(to))
}

// Resetting a socket that is being shut down fails inside Node.js, and the process would never exit.
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

async function write(to: Socket, chunk: Buffer, size: number): Promise<void> {
  for (let start = 0; start < chunk.length; start += size) {
    to.write(chunk.subarray(start, start + size))
    // Data written in one turn of the event loop is sent in one packet.
    if (size < chunk.length) await nextTurn()
  }
}
