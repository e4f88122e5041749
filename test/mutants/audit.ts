import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'an audit event names the superadmin who acts as the user',
    file: 'src/audit/record.ts',
    from: 'impersonator_id: device?.impersonatedBy ?? null',
    to: 'impersonator_id: null',
    test: 'test/admin/impersonation.test.ts',
  },
  {
    rule: 'events of an impersonation are hidden from administrators',
    file: 'src/audit/queries.ts',
    from: ' AND impersonator_id IS NULL',
    to: '',
    test: 'test/admin/impersonation.test.ts',
  },
  {
    rule: 'the audit keeps no half of a character, which the database refuses',
    file: 'src/audit/record.ts',
    from: "text.match(/^./su)?.[0] ?? ''",
    to: 'text.slice(0, 1)',
    test: 'test/http/hostile-strings.test.ts',
  },
  {
    rule: 'the state of the audit trail reports a missing seal',
    file: 'src/audit/seal-state.ts',
    from: "if (broken.length > 0) return 'broken'",
    to: '',
    test: 'test/audit/seal-state.test.ts',
  },
  {
    rule: 'an admin does not see what superadmins do',
    file: 'src/audit/queries.ts',
    from: '    !withSuperadmins && concernsNoSuperadmin,\n',
    to: '',
    test: 'test/audit/list.test.ts',
  },
  {
    rule: 'a seal covers all that came before it',
    file: 'src/audit/seal-events.ts',
    from: "key_id, iso(sealed_at), previous ?? '']",
    to: "key_id, iso(sealed_at), previous ? '' : '']",
    test: 'test/audit/seals.test.ts',
  },
  {
    rule: 'a seal cannot be made without a key that is not in the database',
    file: 'src/audit/seal-events.ts',
    from: "    key.toString('base64'),\n",
    to: "    key ? '' : '',\n",
    test: 'test/audit/seals.test.ts',
  },
  {
    rule: 'a chain of seals begins where retention has ended',
    file: 'src/audit/verify-seals.ts',
    from: 'if (seal.number === before.number + 1) examineMac',
    to: 'if (found.seals === 1 || seal.number === before.number + 1) examineMac',
    test: 'test/audit/seals.test.ts',
  },
  {
    rule: 'how far retention came is believed by the key only',
    file: 'src/audit/remove-seals.ts',
    from: 'key !== undefined && equalSecrets(signed(key, removed).mac, removed.mac)',
    to: 'key !== undefined',
    test: 'test/audit/seals.test.ts',
  },
  {
    rule: 'retention removes no seal because of a time that the seal does not cover',
    file: 'src/audit/remove-seals.ts',
    from: 'if (!equalSecrets(macOf(signer, oldest, previous), oldest.mac))',
    to: 'if (!macOf(signer, oldest, previous))',
    test: 'test/audit/seals.test.ts',
  },
]
