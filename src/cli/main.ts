import { stripVTControlCharacters } from 'node:util'
import { version } from '../lib/version.ts'

// citty prints colours even when the output is piped.
if (!process.stdout.isTTY) process.env.NO_COLOR = '1'
const { renderUsage, runMain } = await import('citty')

const ofCore = {
  start: async () => (await import('./start.ts')).startCommand,
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  admin: async () => (await import('./groups.ts')).adminCommand,
  backup: async () => (await import('./backup/backup.ts')).backupCommand,
  restore: async () => (await import('./backup/restore.ts')).restoreCommand,
  move: async () => (await import('./backup/move.ts')).moveCommand,
  user: async () => (await import('./groups.ts')).userCommand,
  permissions: async () => (await import('./groups.ts')).permissionsCommand,
  role: async () => (await import('./groups.ts')).roleCommand,
  application: async () => (await import('./groups.ts')).applicationCommand,
  webhook: async () => (await import('./groups.ts')).webhookCommand,
  settings: async () => (await import('./groups.ts')).settingsCommand,
  sessions: async () => (await import('./groups.ts')).sessionsCommand,
  secrets: async () => (await import('./groups.ts')).secretsCommand,
  module: async () => (await import('./groups.ts')).moduleRootCommand,
  health: async () => (await import('./health.ts')).healthCommand,
  doctor: async () => (await import('./doctor.ts')).doctorCommand,
  openapi: async () => (await import('./openapi.ts')).openapiCommand,
  version: async () => (await import('./version.ts')).versionCommand,
  archive: async () => (await import('./archive.ts')).archiveCommand,
}

const isOfCore = (name: string | undefined): boolean => name !== undefined && Object.hasOwn(ofCore, name)
const ofModules = async () => (await import('./module-commands.ts')).moduleCommands()

await runMain(
  {
    meta: () => ({
      name: 'wardenry',
      description: 'Authentication and user management',
      version,
    }),
    subCommands: async () => (isOfCore(process.argv[2]) ? ofCore : { ...ofCore, ...(await ofModules()) }),
  },
  {
    showUsage: async (command) => {
      const output = process.argv.some((word) => word === '--help' || word === '-h') ? process.stdout : process.stderr
      const usage = await renderUsage(command)
      output.write(`${output.isTTY ? usage : stripVTControlCharacters(usage)}\n\n`)
    },
  },
)
