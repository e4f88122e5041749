import { command } from '../command.ts'
import { passphraseArgs } from './backup.ts'

export const restoreCommand = command({
  meta: { name: 'wardenry restore', description: 'Restore a backup to an empty database, and end all sessions' },
  args: {
    file: { type: 'positional', description: 'file that "wardenry backup" has written', required: true },
    'keep-sessions': { type: 'boolean', description: 'keep the sessions, links and codes of the backup valid' },
    'keep-keys': { type: 'boolean', description: 'keep the API keys of the backup valid, as --keep-sessions does' },
    'other-secrets': {
      type: 'boolean',
      description: 'restore although the secrets differ from those of the backup, and lose the data that they protect',
    },
    ...passphraseArgs,
  },
  run: async ({
    file: path,
    'keep-sessions': keepSessions,
    'keep-keys': keepKeys,
    'other-secrets': otherSecrets,
    'passphrase-file': passphraseFile,
  }) => {
    const { readPassphrase } = await import('./passphrase.ts')
    const { restoreToDatabase } = await import('./restore-backup.ts')
    const report = await restoreToDatabase({
      file: { path, passphrase: readPassphrase(passphraseFile) },
      keepSessions: keepSessions === true,
      keepKeys: keepKeys === true,
      otherSecrets: otherSecrets === true,
    })
    process.stdout.write(report)
  },
})
