import type { Mutant } from '../../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'nobody adds a passkey while passkeys are switched off',
    file: 'src/modules/two-factor/methods/index.ts',
    from: "if (kind === 'passkey' && !ctx.config.PASSKEYS_ENABLED) return false",
    to: '',
    test: 'test/two-factor/passkeys-off.test.ts',
  },
  {
    rule: 'a passkey confirms for its own user only',
    file: 'src/modules/two-factor/methods/passkey.ts',
    from: 'if (stored?.user_id !== row.user_id)',
    to: 'if (!stored)',
    test: 'test/two-factor/passkeys.test.ts',
  },
  {
    rule: 'a method does not remove itself while there is another',
    file: 'src/modules/two-factor/methods/passkey.ts',
    from: "factorRequest.action === 'remove' && stored.id !== row.id",
    to: "factorRequest.action === 'remove' && !stored.id",
    test: 'test/two-factor/passkeys.test.ts',
  },
  {
    rule: 'only a recent authentication continues the setup of a passkey',
    file: 'src/modules/two-factor/start.ts',
    from: "if (action === 'setup' && kind === 'passkey') assertRecentProof(ctx, view)",
    to: '',
    test: 'test/two-factor/passkeys.test.ts',
  },
]
