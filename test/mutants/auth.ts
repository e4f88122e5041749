import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a request cannot choose its role',
    file: 'src/registration/register-user.ts',
    from: "user_type: 'customer',",
    to: "user_type: 'superadmin',",
    test: 'test/auth/register.test.ts',
  },
  {
    rule: 'a taken user name is told before anything about the address',
    file: 'src/auth/register.ts',
    from: 'if (values.user_name) return',
    to: 'if (values.user_name && !values.email) return',
    test: 'test/auth/register-settings.test.ts',
  },
  {
    rule: 'an unverified user does not sign in where addresses must be proven',
    file: 'src/auth/login.ts',
    from: 'if (ctx.config.VERIFY_REGISTRATION && !user.is_verified)',
    to: 'if (ctx.config.VERIFY_REGISTRATION && user.is_verified === undefined)',
    test: 'test/auth/register-settings.test.ts',
  },
  {
    rule: 'passwords are hashed at rest',
    file: 'src/auth/register.ts',
    from: 'const password_hash = await ctx.passwords.hash(password)',
    to: 'const password_hash = (await ctx.passwords.hash(password)) && password',
    test: 'test/auth/register.test.ts',
  },
  {
    rule: 'a route refuses with no error that the API description does not have',
    file: 'src/auth/schemas.ts',
    from: "'EMAIL_NOT_VERIFIED', 'INVALID_CREDENTIALS'],",
    to: "'EMAIL_NOT_VERIFIED'],",
    test: 'test/auth/login.test.ts',
  },
]
