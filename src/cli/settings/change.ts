import { command } from '../command.ts'
import { applyChange, withSettings } from './with-settings.ts'

const name = { type: 'positional', description: 'such as APP_NAME', required: true } as const

const lockedOut = { type: 'string', description: 'number of users who may lose their only way to sign in' } as const

export const settingsSet = command({
  meta: {
    name: 'wardenry settings set',
    description: 'Store the value of a setting in the database; running nodes apply it within seconds',
  },
  args: {
    name,
    value: { type: 'positional', description: 'as in the environment; APP_LOGO: path of a file', required: true },
    'locked-out': lockedOut,
  },
  run: ({ name, value, 'locked-out': accepted }) =>
    withSettings(async (ctx) => {
      const changed = await applyChange(ctx, name, await storedForm(name, value), Number(accepted ?? 0))
      process.stdout.write(changed ? `${name} is changed.\n` : `${name} already has this value. Nothing was changed.\n`)
    }),
})

export const settingsReset = command({
  meta: { name: 'wardenry settings reset', description: 'Remove the stored value of a setting' },
  args: { name, 'locked-out': lockedOut },
  run: ({ name, 'locked-out': accepted }) =>
    withSettings(async (ctx) => {
      const changed = await applyChange(ctx, name, null, Number(accepted ?? 0))
      process.stdout.write(changed ? `${name} is reset.\n` : `${name} has no stored value. Nothing was changed.\n`)
    }),
})

/** The picture is stored in the database because the other nodes cannot read the file. */
async function storedForm(name: string, value: string): Promise<string> {
  const { settings } = await import('../../config/settings.ts')
  if (!settings[name]?.readStored) return value
  const { readFile } = await import('node:fs/promises')
  const { storedPicture } = await import('../../config/branding.ts')
  return storedPicture(await readFile(value))
}
