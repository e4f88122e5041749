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

function turn(): void {
  if (runs > 0) setImmediate(turn)
}
