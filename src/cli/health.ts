import { command } from './command.ts'

/** Supervisors may run this command every few seconds, so it reads only the settings that it needs, and no secrets. */
export const healthCommand = command({
  meta: { name: 'wardenry health', description: 'Ask the running service on this machine whether it is ready' },
  run: async () => {
    const { SettingProblem } = await import('../config/kinds.ts')
    const { serviceSettings } = await import('../config/settings/service.ts')
    const { environment } = await import('./environment.ts')
    const { askReadiness, readinessAddress } = await import('./readiness.ts')
    const values = environment()
    const port = values.PORT ? serviceSettings.PORT.read(values.PORT) : serviceSettings.PORT.fallback
    if (port === undefined || port instanceof SettingProblem) throw new Error(`PORT ${port?.message}`)
    const address = readinessAddress({ HOST: values.HOST || '127.0.0.1', PORT: port })
    const reply = await askReadiness(address).catch(() => undefined)
    if (!reply) throw new Error(`${address} does not answer`)
    if (!reply.ok) throw new Error(`${address} answers ${reply.status}`)
    process.stdout.write(`${address} reports that it is ready\n`)
  },
})
