import type { CommandDef } from 'citty'

export const sessionsCommand: CommandDef = {
  meta: { name: 'wardenry sessions', description: 'End all sessions' },
  subCommands: {
    'end-all': async () => (await import('./sessions-end-all.ts')).sessionsEndAll,
  },
}
