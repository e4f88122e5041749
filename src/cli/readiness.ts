import { second } from '../lib/time.ts'

/** The readiness URL of the service on this machine, given the address that it listens on. */
export function readinessAddress({ HOST, PORT }: { HOST: string; PORT: number }): string {
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}/health/ready`
}

/** Rejects if there is no response within five seconds. */
export async function askReadiness(address: string): Promise<Response> {
  const reply = await fetch(address, { signal: AbortSignal.timeout(5 * second) })
  await reply.body?.cancel()
  return reply
}
