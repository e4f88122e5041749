import type { CommandDef } from 'citty'

export const secrets: CommandDef = {
  meta: { name: 'wardenry secrets', description: 'Replace generated secrets that are lost' },
  subCommands: {
    replace: async () => (await import('./secrets-replace.ts')).secretsReplace,
  },
}
