/** The time at the service: a proof was dated by that clock, and a wrong one here must neither refuse it nor accept it. */
export interface ServiceClock {
  measured(time: number): void
  /** Milliseconds since 1970. Before the first answer of the service, our own clock. */
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
