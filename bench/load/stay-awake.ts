let runs = 0

/**
 * Keeps this process from sleeping during a measurement. If it slept, the server would spend several microseconds of
 * CPU time per response waking its core. Fast servers would be affected less because their responses keep this process
 * busy.
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

// In milliseconds. The short sleep after each interval is needed because PostgreSQL runs on the same core. Without it,
// Linux 6.18 with autogroups once made PostgreSQL's back ends wait seven seconds for the core.
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
