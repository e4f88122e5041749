import { join } from 'node:path'
import { command } from './command.ts'

export const secretsReplace = command({
  meta: { name: 'wardenry secrets replace', description: 'Generate new secrets if the generated ones are lost' },
  args: { yes: { type: 'boolean', description: 'do not ask for confirmation' } },
  run: async ({ yes }) => {
    const { confirm } = await import('./ask.ts')
    const { storedNames } = await import('../config/generated-secrets.ts')
    const { coreSettings } = await import('../config/settings.ts')
    const { acquireLockFile } = await import('../db/lock-file.ts')
    const { environment } = await import('./environment.ts')
    const { declareModulesOf, loadChecked } = await import('./load-checked.ts')
    const { readConfig } = await import('../config/load.ts')
    const values = environment()
    await declareModulesOf(values)
    if (readConfig(values, 'look').problems.length === 0)
      return void process.stdout.write('No secret is missing. Nothing was changed.\n')
    const dataDir = values.DATA_DIR || coreSettings.DATA_DIR.shownDefault
    const before = storedNames(dataDir)
    // The lock ensures that no running service uses the lost secrets.
    const lock = await acquireLockFile(dataDir)
    try {
      await confirm(
        `This generates new secrets to replace those missing in ${join(dataDir, 'secrets.json')}.\n${costs}`,
        yes,
      )
      await loadChecked(values, 'replace')
    } finally {
      await lock.release()
    }
    const made = storedNames(dataDir).filter((name) => !before.includes(name))
    process.stdout.write(`Generated: ${made.join(', ')}\n`)
  },
})

const costs = `New DATA_KEYS cannot decrypt authenticator apps and undelivered messages: an administrator must reset the second
factor of these users. Earlier audit seals cannot be verified. A new AUTH_SECRET invalidates recovery codes and typed
codes, and resets failure counters and known devices. Set a new BRIDGE_SECRET in your back ends. Passwords, sessions and
mailed links keep working.`
