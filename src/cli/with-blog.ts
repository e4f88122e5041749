import type { App } from '../app.ts'
import { openApp } from './open-app.ts'

/** Runs a command about the posts of this installation. */
export async function withBlog<Result>(work: (app: App) => Promise<Result>): Promise<Result> {
  const { readEnvironment } = await import('./environment.ts')
  const app = await openApp(await readEnvironment('command'), adviceWhenBusy)
  try {
    if (!app.ctx.modules.isInstalled('blog'))
      throw new Error('The blog is not installed: wardenry module install blog --all')
    return await work(app)
  } finally {
    await app.stop()
  }
}

const adviceWhenBusy = 'If that process is the service: stop it, run this command, start it again.'
