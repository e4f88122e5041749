let runs = 0

/**
 * Keeps this process from sleeping while it loads a server. Waking another core takes several microseconds of the
 * waking core's time. A slow server would pay this for every response; a fast one, whose responses keep this process
 * busy, hardly ever.
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

// PostgreSQL uses this core, too. Next to a process that never sleeps, Linux 6.18 with autogroups once left
// PostgreSQL's back ends waiting for the core for seven seconds.
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
