import type { CommandDef } from 'citty'

export const admin: CommandDef = {
  meta: { name: 'wardenry admin', description: 'Make a superadmin' },
  subCommands: {
    create: async () => (await import('./admin-create.ts')).adminCreate,
  },
}
