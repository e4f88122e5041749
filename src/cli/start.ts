import { command } from './command.ts'

export const startCommand = command({
  meta: { name: 'wardenry start', description: 'Start the service' },
  run: async () => {
    const { serve } = await import('./serve.ts')
    await serve()
  },
})
