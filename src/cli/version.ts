import { version } from '../lib/version.ts'
import { command } from './command.ts'

export const versionCommand = command({
  meta: { name: 'wardenry version', description: 'Print the version' },
  run: async () => void process.stdout.write(`${version}\n`),
})
