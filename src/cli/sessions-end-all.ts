import { second } from '../lib/time.ts'
import type { EndedAll } from '../sessions/end-all-sessions.ts'
import { command } from './command.ts'

export const sessionsEndAll = command({
  meta: {
    name: 'wardenry sessions end-all',
    description: 'End every session and invalidate every unused link and code, as after a restore',
  },
  args: {
    keys: { type: 'boolean', description: 'also end all API keys' },
    yes: { type: 'boolean', description: 'do not ask for confirmation' },
  },
  run: async ({ keys, yes }) => {
    const { confirm } = await import('./ask.ts')
    const { openContext } = await import('./open-app.ts')
    const { readEnvironment } = await import('./environment.ts')
    const { endAllSessions } = await import('../sessions/end-all-sessions.ts')
    const surroundings = await readEnvironment('command')
    const { ctx, close } = await openContext(surroundings, adviceWhenBusy)
    try {
      await confirm(
        `This signs everyone out, forgets remembered browsers, and invalidates every unused link and code${keys ? ', and all API keys' : ''}.`,
        yes,
      )
      const ended = await endAllSessions(ctx, showProgress())
      process.stdout.write(report(ended))
      if (keys) process.stdout.write(`Ended ${count(await ctx.endModuleCredentials(), 'API key')}.\n`)
    } finally {
      await close()
    }
  },
})

const report = ({ sessions, secrets }: EndedAll): string =>
  `Ended ${count(sessions, 'session')} and invalidated ${count(secrets, 'unused link or code', 'unused links and codes')}.\n`

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`

function showProgress(): (soFar: EndedAll) => void {
  let last = performance.now()
  return ({ sessions, secrets }) => {
    if (performance.now() - last < second) return
    last = performance.now()
    process.stderr.write(`${count(sessions, 'session')}, ${count(secrets, 'link or code', 'links and codes')}\n`)
  }
}

const adviceWhenBusy = 'If that process is the service, stop it, run this command, and start it again.'
