import { Duplex } from 'node:stream'

/**
 * What node-postgres takes for its network socket. It corks the socket around each statement, so that one request
 * leaves as one piece; `send` gets it in memory of its own, fit to be handed to another thread.
 */
export function createSocket(send: (bytes: Uint8Array<ArrayBuffer>) => void): Duplex {
  const socket: Duplex = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      send(new Uint8Array(chunk))
      done()
    },
    writev(chunks, done) {
      send(new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer))))
      done()
    },
  })
  // An engine that never started has no client yet to hear of it.
  socket.on('error', () => {})
  const itself = () => socket
  return Object.assign(socket, {
    connect: () => process.nextTick(() => socket.emit('connect')),
    setNoDelay: itself,
    setKeepAlive: itself,
    ref: itself,
    unref: itself,
  })
}
