import { syncBuiltinESMExports } from 'node:module'
import workers from 'node:worker_threads'

/** Makes each worker thread that this process starts later load the module first. */
export function preloadInWorkers(module: string): void {
  const { Worker } = workers
  workers.Worker = class extends Worker {
    constructor(file: string | URL, options: workers.WorkerOptions = {}) {
      super(file, { ...options, execArgv: [...(options.execArgv ?? []), `--import=${module}`] })
    }
  }
  syncBuiltinESMExports()
}
