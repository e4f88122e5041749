import type { CommandDef } from 'citty'

export const moduleRootCommand: CommandDef = {
  meta: { name: 'wardenry module', description: 'Show and install modules' },
  subCommands: {
    list: async () => (await import('./module-list.ts')).moduleList,
    status: async () => (await import('./module-status.ts')).moduleStatusCommand,
    plan: async () => (await import('./module-install.ts')).modulePlan,
    install: async () => (await import('./module-install.ts')).moduleInstall,
  },
}
