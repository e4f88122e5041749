import cluster from 'node:cluster'
import { ignoreErrors } from '../lib/log-output.ts'
import { command } from './command.ts'
import { readEnvironment } from './environment.ts'

export const startCommand = command({
  meta: { name: 'wardenry start', description: 'Start the service' },
  run: async () => {
    // A closed output stream must not terminate the service.
    for (const stream of [process.stdout, process.stderr]) ignoreErrors(stream)
    const launch = { ...process.env }
    const environment = await readEnvironment('service')
    if (cluster.isPrimary && environment.config.WORKERS > 1) {
      const { superviseWorkers } = await import('./workers/supervise.ts')
      forget(launch)
      return superviseWorkers(environment, launch)
    }
    const { serve } = await import('./serve.ts')
    await serve(environment)
  },
})

/** Removes the variables read from the .env file. In replacement workers, they would override the current file. */
function forget(launch: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(process.env)) if (!(name in launch)) delete process.env[name]
}
