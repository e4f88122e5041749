import { second } from '../lib/time.ts'

/**
 * Calls `stop` on the first SIGTERM or SIGINT. A second signal kills the process, but only after 250 ms, because npm may
 * repeat the first signal.
 */
export function onStopSignal(stop: () => void): void {
  let isStopping = false
  const onSignal = () => {
    if (isStopping) return void setTimeout(endAtOnce, second / 4)
    isStopping = true
    stop()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

/** `process.exit` would wait for running password hashes. */
export const endAtOnce = () => process.kill(process.pid, 'SIGKILL')
