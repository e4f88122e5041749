import { Duplex } from 'node:stream'

/** Joins corked writes, so that each request is one message that can be transferred to another thread. */
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
  // If the engine fails to start, there is no client to handle the error.
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
