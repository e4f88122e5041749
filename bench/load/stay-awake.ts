let runs = 0

/**
 * Keeps this process from sleeping while it loads a server. Waking another core costs the one that does it several
 * microseconds: a slow server would pay that for every reply, a fast one, whose replies keep us busy, hardly ever.
 */
export async function stayingAwake<Result>(work: () => Promise<Result>): Promise<Result> {
  runs++
  if (runs === 1) turn()
  try {
    return await work()
  } finally {
    runs--
  }
}

// PostgreSQL has this core, too. Linux (6.18, with groups for each session of processes) was seen to leave its back ends
// runnable for seven seconds beside a process that never sleeps.
const [between, length] = [2, 0.05]
const sleeper = new Int32Array(new SharedArrayBuffer(4))
let sleptAt = 0

function turn(): void {
  if (runs === 0) return
  if (performance.now() - sleptAt > between) {
    Atomics.wait(sleeper, 0, 0, length)
    sleptAt = performance.now()
  }
  setImmediate(turn)
}
