import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** A loopback TCP proxy that simulates network faults. Faults accumulate until `heal` is called. */
export interface FaultProxy {
  port: number
  /** `url` with its host and port replaced by this proxy's. */
  through(url: string): string
  /** Delays every byte by this many milliseconds, in both directions. */
  latency(milliseconds: number): void
  /** Splits data into chunks of at most this size. */
  slice(bytes: number): void
  /** Resets all connections, including new ones. */
  cut(): void
  /** Forwards new connections to another port. Existing connections are not affected. */
  retarget(port: number): void
  /**
   * Accepts and keeps connections, but forwards no data. Data sent during this time arrives after `heal`, as with TCP.
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
  blackhole: PromiseWithResolvers<void> | undefined
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

/** Forwards chunks in order. Each chunk waits for the previous chunk, its own delay, and the end of a blackhole. */
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
  // Forwards a reset to the other side. A regular end has already been forwarded.
  from.on('error', () => reset(to))
}

// In Node.js, resetting a socket that is shutting down fails and would keep the process from ever exiting.
function reset(socket: Socket): void {
  if (socket.writableEnded) socket.destroy()
  else socket.resetAndDestroy()
}

async function write(to: Socket, chunk: Buffer, size: number): Promise<void> {
  for (let start = 0; start < chunk.length; start += size) {
    to.write(chunk.subarray(start, start + size))
    // Waits for the next turn of the event loop because Node.js sends data from the same turn in one packet.
    if (size < chunk.length) await nextTurn()
  }
}
