import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a ban without an end is kept by an import',
    file: 'src/import/sources/supabase.ts',
    from: "textMember(row, 'banned_until') !== undefined",
    to: "timeOf(row, 'banned_until') !== undefined",
    test: 'test/import/sources.test.ts',
  },
  {
    rule: 'an import keeps no role of another system that was not mapped explicitly',
    file: 'src/import/sources/protected-data.ts',
    from: 'user_type: own || undefined',
    to: 'user_type: own || roles[0]',
    test: 'test/import/sources.test.ts',
  },
  {
    rule: 'an import copies members that users could not edit to the editable metadata only on request',
    file: 'src/import/sources/protected-data.ts',
    from: 'Object.hasOwn(data, name) ? [[name, data[name]]] : []',
    to: 'Object.hasOwn(data, name) || !name ? Object.entries(data) : []',
    test: 'test/import/sources.test.ts',
  },
  {
    rule: 'an import creates superadmins only with --allow-superadmins',
    file: 'src/import/prepare-user.ts',
    from: "if (role === 'superadmin' && !allowSuperadmins)",
    to: "if (role === 'superadmin' && allowSuperadmins)",
    test: 'test/import/import.test.ts',
  },
  {
    rule: 'an export contains password hashes only if they were requested',
    file: 'src/import/export-users.ts',
    from: 'password_hash: withHashes ? row.password_hash : undefined',
    to: 'password_hash: row.password_hash ?? undefined',
    test: 'test/import/import.test.ts',
  },
  {
    rule: 'an export contains the seeds of authenticator apps only if secrets were requested',
    file: 'src/import/export-users.ts',
    from: 'filter(({ isSecret }) => withHashes || !isSecret)',
    to: 'filter(({ isSecret }) => withHashes || isSecret !== undefined)',
    test: 'test/import/import.test.ts',
  },
  {
    rule: 'an imported authenticator is required at sign-in',
    file: 'src/import/prepare-user.ts',
    from: 'two_factor: record.two_factor ?? hasFactor',
    to: 'two_factor: record.two_factor ?? false',
    test: 'test/import/import.test.ts',
  },
  {
    rule: 'an authenticator that an import cannot keep is still required at sign-in',
    file: 'src/import/optional-values.ts',
    from: "name === 'totp'",
    to: "name === 'otp'",
    test: 'test/import/optional-values.test.ts',
  },
  {
    rule: 'an import leaves out a user whose block cannot be read',
    file: 'src/import/optional-values.ts',
    from: "'deleted_at', 'blocked', 'consent'",
    to: "'deleted_at', 'consent'",
    test: 'test/import/optional-values.test.ts',
  },
]
