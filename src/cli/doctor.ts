import { command } from './command.ts'

export const doctorCommand = command({
  meta: { name: 'wardenry doctor', description: 'Check this installation; changes nothing' },
  run: async () => {
    const { examine } = await import('./doctor/examine.ts')
    const { environment } = await import('./environment.ts')
    const { isHealthy, report } = await import('./doctor/finding.ts')
    const findings = await examine(environment())
    process.stdout.write(report(findings))
    process.exitCode = isHealthy(findings) ? 0 : 1
  },
})
