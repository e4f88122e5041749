/** A request to a benchmark process, sent over the IPC channel of the forked process. */
export interface Call {
  id: number
  name: string
  input: unknown
}

export type ResponseMessage = { id: number; value: unknown } | { id: number; error: string }

type Handler = (input: never) => unknown

const handlers = new Map<string, Handler>()
let early: Call[] = []

/** Handles all calls with this name, including any that arrived before this handler was registered. */
export function respond<Input>(name: string, handler: (input: Input) => unknown): void {
  if (handlers.size === 0) listen()
  handlers.set(name, handler)
  const waiting = early
  early = []
  for (const call of waiting) run(call)
}

function listen(): void {
  process.on('message', (call: Call) => void run(call))
  // This process must exit when its parent does.
  process.on('disconnect', () => process.exit())
}

async function run(call: Call): Promise<void> {
  const handler = handlers.get(call.name)
  if (!handler) {
    early.push(call)
    return
  }
  try {
    reply({ id: call.id, value: await handler(call.input as never) })
  } catch (error) {
    reply({ id: call.id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
}

const reply = (answered: ResponseMessage): void => void process.send?.(answered)
