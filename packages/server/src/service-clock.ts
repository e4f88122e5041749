/** The service's time, which dates proofs. A wrong local clock must not affect whether a proof is accepted. */
export interface ServiceClock {
  measured(time: number): void
  /** Milliseconds since 1970. Until the service's first response, uses the local clock. */
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
