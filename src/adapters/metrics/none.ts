import type { Metrics } from './port.ts'

const nothing = () => {}

export const createNoMetrics = (): Metrics => ({
  route: () => ({ observe: nothing }),
  sessionLookup: nothing,
  passwordHashes: nothing,
  passwordHashRejected: nothing,
  outboxDepth: nothing,
  delivery: nothing,
  rateLimited: nothing,
  dependency: nothing,
  logLineDropped: nothing,
  render: async () => ({ contentType: 'text/plain; charset=utf-8', body: '' }),
  close: nothing,
})
