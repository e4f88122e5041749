import type { Context } from '../../context.ts'
import { command } from '../command.ts'
import { intoFile } from '../into-file.ts'
import { getUser, withUsers } from './with-users.ts'

export const userExport = command({
  meta: {
    name: 'wardenry user export',
    description: 'Export all users to a new JSON Lines file, or the personal data of one user to a new JSON file',
  },
  args: {
    file: { type: 'positional', description: 'new file such as users.jsonl, or the user to export', required: true },
    userFile: { type: 'positional', description: 'new file for one user, such as ada.json', required: false },
    'with-hashes': {
      type: 'boolean',
      description: 'for all users only: include password hashes and seeds of authenticator apps',
    },
  },
  run: ({ file, userFile, 'with-hashes': withHashes }) =>
    withUsers((ctx) =>
      userFile === undefined ? exportAll(ctx, file, withHashes === true) : exportOne(ctx, file, userFile, withHashes),
    ),
})

async function exportAll(ctx: Context, file: string, withHashes: boolean): Promise<void> {
  if (!/\.jsonl$/i.test(file))
    throw new Error(
      'To export all users, name a file that ends in .jsonl. To export one user, pass the user and a file.',
    )
  const { exportUsers } = await import('../../import/export-users.ts')
  let count = 0
  await intoFile(file, async (write) => {
    count = await exportUsers(ctx, { withHashes }, write)
  })
  process.stdout.write(`${file}: ${count} ${count === 1 ? 'user' : 'users'}\n`)
  if (withHashes) process.stdout.write('The file contains secrets. Delete it as soon as you have imported it.\n')
}

async function exportOne(ctx: Context, named: string, file: string, withHashes: boolean | undefined): Promise<void> {
  if (withHashes) throw new Error('--with-hashes is only for the export of all users')
  const { exportByOperator } = await import('../../admin/export-by-operator.ts')
  const { id, email } = await getUser(ctx, named)
  await intoFile(file, async (write) => write(`${JSON.stringify(await exportByOperator(ctx, id), null, 2)}\n`))
  process.stdout.write(`${file}: the personal data of ${email}\n`)
}
