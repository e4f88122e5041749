import cluster from 'node:cluster'
import { second } from '../lib/time.ts'

/** A second signal kills the process, but only after 250 ms, because npm may repeat the first signal. */
export function onStopSignal(stop: () => void): void {
  let isStopping = false
  const onSignal = () => {
    if (isStopping) return void setTimeout(endAtOnce, second / 4)
    isStopping = true
    stop()
  }
  // Ctrl+C in a terminal reaches every process, as do signals from some supervisors. Workers therefore ignore SIGINT
  // and repeated SIGTERM signals. The main process stops the workers.
  process.on('SIGTERM', cluster.isWorker ? once(stop) : onSignal)
  process.on('SIGINT', cluster.isWorker ? () => {} : onSignal)
}

function once(work: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) work()
    isDone = true
  }
}

/** Node.js would otherwise kill a worker in the middle of its requests when the main process exits. */
export function onSupervisorEnd(stop: () => void): void {
  const { worker } = cluster
  worker?.once('disconnect', () => {
    worker.exitedAfterDisconnect = true
    stop()
  })
}

/** `process.exit` would wait for password hashes that are still being computed. */
export function endAtOnce(): void {
  for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL')
  process.kill(process.pid, 'SIGKILL')
}

/** In a terminal, SIGHUP stops the process because closing the terminal sends this signal. */
export function onHangup(reload: () => void): void {
  process.on('SIGHUP', () => {
    if (cluster.isWorker) return
    if (process.stdin.isTTY) process.kill(process.pid, 'SIGTERM')
    else reload()
  })
}
