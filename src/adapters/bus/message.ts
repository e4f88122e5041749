import { maxMessageLength } from './port.ts'

// All messages travel on one channel of the store, so that one order holds for all of them.

/** The channel on its own line before the payload. Throws what would not reach every node. */
export function packMessage(channel: string, payload: string): string {
  if (channel === '' || channel.includes('\n')) throw new RangeError('a channel is one line')
  const message = `${channel}\n${payload}`
  if (Buffer.byteLength(message) > maxMessageLength) throw new RangeError(`a message on ${channel} is too long`)
  return message
}

export function unpackMessage(message: string): { channel: string; payload: string } {
  const end = message.indexOf('\n')
  return { channel: message.slice(0, Math.max(end, 0)), payload: message.slice(end + 1) }
}
