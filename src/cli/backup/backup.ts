import { command } from '../command.ts'

export const passphraseArgs = {
  'passphrase-file': {
    type: 'string',
    description: 'file with the passphrase in its first line; otherwise, BACKUP_PASSPHRASE contains it',
    valueHint: 'file',
  },
} as const

export const backupCommand = command({
  meta: { name: 'wardenry backup', description: 'Write a backup to a file, while the service is running or stopped' },
  args: {
    file: { type: 'positional', description: 'new file, or - for standard output', required: true },
    force: { type: 'boolean', description: 'replace the file if it exists' },
    encrypt: {
      type: 'boolean',
      description: 'encrypt the backup with BACKUP_PASSPHRASE, and include generated secrets',
    },
    'passphrase-file': {
      ...passphraseArgs['passphrase-file'],
      description: 'encrypt it with the first line of this file',
    },
    'allow-missing-pictures': { type: 'boolean', description: 'exit with 0 even if pictures are missing' },
    'include-bucket': { type: 'boolean', description: 'include pictures that are stored in an S3 bucket' },
  },
  run: async ({
    file,
    force,
    encrypt,
    'passphrase-file': passphraseFile,
    'allow-missing-pictures': allowMissing,
    'include-bucket': includeBucket,
  }) => {
    const { readEnvironment } = await import('../environment.ts')
    const { newPassphrase } = await import('./passphrase.ts')
    const { createBackup } = await import('./create-backup.ts')
    const passphrase = encrypt || passphraseFile !== undefined ? newPassphrase(passphraseFile) : undefined
    const environment = await readEnvironment('command')
    const { report, hasAllPictures } = await createBackup(environment, {
      path: file,
      replace: force === true,
      passphrase,
      includeBucket: includeBucket === true,
    })
    // The backup itself may be written to standard output.
    process.stderr.write(report)
    if (!hasAllPictures && allowMissing !== true) process.exitCode = 1
  },
})
