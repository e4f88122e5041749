import { readFileSync } from 'node:fs'
import { command } from './command.ts'
import { openApp } from './open-app.ts'

export const adminCreate = command({
  meta: {
    name: 'wardenry admin create',
    description:
      'Create a superadmin. The password is read from ADMIN_PASSWORD or standard input, or prompted for. If PASSWORDS_ENABLED is false, a link for signing in is printed instead.',
  },
  args: {
    email: { type: 'string', description: 'email address of the superadmin; default: ADMIN_EMAIL, or a prompt' },
    name: { type: 'string', description: 'name of the superadmin' },
  },
  run: async ({ email, name }) => {
    const { environment, readEnvironment } = await import('./environment.ts')
    // The command reads these settings itself. The application it opens must not create a superadmin from them.
    const { ADMIN_EMAIL, ADMIN_PASSWORD, ADMIN_PASSWORD_FILE, ...rest } = environment()
    const surroundings = await readEnvironment('command', rest)
    const app = await openApp(surroundings, adviceWhenBusy)
    try {
      const { createAdmin } = await import('../admin/first-admin.ts')
      const { ask, askPassword } = await import('./ask.ts')
      const address = email || ADMIN_EMAIL || (await ask('Email: '))
      const { PASSWORDS_ENABLED: hasPasswords } = app.ctx.config
      const inFile = ADMIN_PASSWORD_FILE ? readFileSync(ADMIN_PASSWORD_FILE, 'utf8').trim() : undefined
      const password = hasPasswords
        ? ADMIN_PASSWORD || inFile || (await askPassword('set ADMIN_PASSWORD, or pass it on standard input'))
        : undefined
      const { user, link } = await createAdmin(app.ctx, { email: address, password, name })
      process.stdout.write(
        `${user.email} is a superadmin now.\n  id         ${user.id}\n  user name  ${user.user_name}\n`,
      )
      if (link) process.stdout.write(`\nOpen this link to sign in. It can be used once:\n  ${link}\n`)
    } finally {
      await app.stop()
    }
  },
})

const adviceWhenBusy = `If that process is the service, stop it, run this command, and start it again. As long as no superadmin
has existed, you can use the set-up link that each start prints instead, without stopping the service.`
