import type { CommandDef } from 'citty'

export const secretsCommand: CommandDef = {
  meta: { name: 'wardenry secrets', description: 'Replace lost generated secrets' },
  subCommands: {
    replace: async () => (await import('./secrets-replace.ts')).secretsReplace,
  },
}
