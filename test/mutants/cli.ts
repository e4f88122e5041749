import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'workers whose main process was killed finish their requests',
    file: 'src/cli/stop-signal.ts',
    from: 'worker.exitedAfterDisconnect = true',
    to: '',
    test: 'test/nodes/workers.test.ts',
  },
  {
    rule: 'workers ignore a signal that reaches every process',
    file: 'src/cli/stop-signal.ts',
    from: 'cluster.isWorker ? once(stop) : onSignal',
    to: 'onSignal',
    test: 'test/nodes/workers.test.ts',
  },
  {
    rule: 'an empty passphrase does not switch protection off',
    file: 'src/cli/backup/passphrase.ts',
    from: 'if (!passphrase?.trim())',
    to: 'if (passphrase === undefined)',
    test: 'test/cli/backup-secrets.test.ts',
  },
  {
    rule: 'a backup is restored only with the secrets of the original',
    file: 'src/cli/backup/restore-backup.ts',
    from: 'missing.length > 0 && !otherSecrets',
    to: 'false',
    test: 'test/cli/backup-secrets.test.ts',
  },
  {
    rule: 'an unencrypted backup contains no secrets',
    file: 'src/cli/backup/create-backup.ts',
    from: 'passphrase !== undefined && config.generated.length > 0 ?',
    to: 'config.generated.length > 0 ?',
    test: 'test/cli/backup-secrets.test.ts',
  },
  {
    rule: 'a backup is readable only by its owner',
    file: 'src/cli/backup/output-file.ts',
    from: `open(partial, 'wx', 0o600)`,
    to: `open(partial, 'wx', 0o644)`,
    test: 'test/cli/backup-file.test.ts',
  },
  {
    rule: 'a backup replaces no file by itself',
    file: 'src/cli/backup/output-file.ts',
    from: 'replace ? rename(partial, path) : renameToFree(partial, path)',
    to: 'rename(partial, path)',
    test: 'test/cli/backup-file.test.ts',
  },
  {
    rule: 'a running node stops when its database was moved',
    file: 'src/cli/serve.ts',
    from: 'stop(1)\n    })\n    await shouldAnnounce',
    to: '})\n    await shouldAnnounce',
    test: 'test/process/moved-node.test.ts',
  },
  {
    rule: 'a target of a move with a typing error is not taken for a directory',
    file: 'src/cli/backup/move-place.ts',
    from: String.raw`!/^\.{0,2}\//.test(path) || /[:@]|\/\//.test(path)`,
    to: 'false',
    test: 'test/cli/move-target.test.ts',
  },
  {
    rule: 'the password of the target of a move is not on the command line',
    file: 'src/cli/backup/move-place.ts',
    from: 'if (hasPassword(to))',
    to: 'if (false)',
    test: 'test/cli/move-target.test.ts',
  },
]
