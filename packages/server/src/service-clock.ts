/**
 * The service's clock. The age of an authentication is computed with it, so that a wrong clock of this machine has no
 * effect.
 */
export interface ServiceClock {
  measured(time: number): void
  /** Milliseconds since 1970. Before the first response from the service, this is the time of this machine's clock. */
  now(): number
}

export function serviceClock(): ServiceClock {
  let known: { time: number; at: number } | undefined
  return {
    measured(time) {
      known = { time, at: performance.now() }
    },
    now: () => (known ? known.time + performance.now() - known.at : Date.now()),
  }
}
