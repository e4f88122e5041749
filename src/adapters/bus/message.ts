import { maxMessageLength } from './port.ts'

// All messages use one channel, which preserves their order.

export function packMessage(channel: string, payload: string): string {
  if (channel === '' || channel.includes('\n')) throw new RangeError('a channel name must be one line')
  const message = `${channel}\n${payload}`
  if (Buffer.byteLength(message) > maxMessageLength) throw new RangeError(`a message on ${channel} is too long`)
  return message
}

export function unpackMessage(message: string): { channel: string; payload: string } {
  const end = message.indexOf('\n')
  return { channel: message.slice(0, Math.max(end, 0)), payload: message.slice(end + 1) }
}
