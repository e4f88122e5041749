/**
 * The service's clock. It is used to compute the age of an authentication, so that a wrong clock on this machine has no
 * effect.
 */
export interface ServiceClock {
  measured(time: number): void
  /** Milliseconds since 1970. Until the first response from the service, this machine's clock is used. */
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
