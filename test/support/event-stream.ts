import { type IncomingMessage, request } from 'node:http'
import { eventually } from './eventually.ts'
import { bridgeSecret } from './test-app.ts'

interface Event {
  name: string
  // biome-ignore lint/suspicious/noExplicitAny: the type of an event is not known at compile time.
  data: any
  at: number
}

export interface OpenedStream {
  reply: IncomingMessage
  close(): void
}

export interface ReadStream extends OpenedStream {
  events: Event[]
  until(isWanted: (event: Event) => boolean): Promise<Event>
}

/** Opens an event stream from this loopback port without reading it. */
export async function openStream(port: number, more: Record<string, string> = {}): Promise<OpenedStream> {
  const headers = { 'x-bridge-secret': bridgeSecret, ...more }
  const asked = request({ port, path: '/auth/bridge/events', headers, agent: false }).end()
  const reply = await new Promise<IncomingMessage>((resolve, reject) =>
    asked.on('response', resolve).on('error', reject),
  )
  reply.on('error', () => {})
  return { reply, close: () => asked.destroy() }
}

/** Opens an event stream and reads its events. */
export async function readStream(port: number, more: Record<string, string> = {}): Promise<ReadStream> {
  const stream = await openStream(port, more)
  const events: Event[] = []
  let rest = ''
  stream.reply.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
      events.push({ name, data: JSON.parse(data), at: performance.now() })
    }
  })
  const until = async (isWanted: (event: Event) => boolean): Promise<Event> => {
    await eventually(
      () => events.some(isWanted),
      10_000,
      () => `only ${JSON.stringify(events)}`,
    )
    return events.find(isWanted)!
  }
  return { ...stream, events, until }
}
