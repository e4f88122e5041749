export const passphraseArgs = {
  'passphrase-file': {
    type: 'string',
    description: 'file with the passphrase in its first line; otherwise, BACKUP_PASSPHRASE contains it',
    valueHint: 'file',
  },
} as const
