import { rm } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { command } from '../command.ts'
import { getUser, userPlace, withUsers } from './with-users.ts'

export const userExport = command({
  meta: { name: 'wardenry user export', description: 'Export the personal data of a user to a new JSON file' },
  args: {
    ...userPlace,
    file: { type: 'positional', description: 'new file, such as ada.json; must not exist yet', required: true },
  },
  run: ({ user: named, file }) =>
    withUsers(async (ctx) => {
      const { exportByOperator } = await import('../../admin/export-by-operator.ts')
      const { createFile } = await import('../../lib/create-file.ts')
      const { id, email } = await getUser(ctx, named)
      const stream = await createFile(file)
      const done = finished(stream)
      done.catch(() => {})
      try {
        stream.end(`${JSON.stringify(await exportByOperator(ctx, id), null, 2)}\n`)
        await done
      } catch (error) {
        stream.destroy()
        await rm(file, { force: true })
        throw error
      }
      process.stdout.write(`${file}: the personal data of ${email}\n`)
    }),
})
