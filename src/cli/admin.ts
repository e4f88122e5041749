import type { CommandDef } from 'citty'

export const adminCommand: CommandDef = {
  meta: { name: 'wardenry admin', description: 'Create a superadmin' },
  subCommands: {
    create: async () => (await import('./admin-create.ts')).adminCreate,
  },
}
