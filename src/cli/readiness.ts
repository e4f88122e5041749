import { second } from '../lib/time.ts'

export function readinessAddress({ HOST, PORT }: { HOST: string; PORT: number }): string {
  const host = ['0.0.0.0', '::'].includes(HOST) ? '127.0.0.1' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}/health/ready`
}

export async function askReadiness(address: string): Promise<Response> {
  const reply = await fetch(address, { signal: AbortSignal.timeout(5 * second) })
  await reply.body?.cancel()
  return reply
}
