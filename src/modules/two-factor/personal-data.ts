import type { PersonalData } from '../../context.ts'
import { listOfModule } from '../../profile/schemas.ts'
import { userMethodsOf } from './find-methods.ts'
import { listedMethod } from './replies.ts'

export const twoFactorPersonalData: PersonalData = {
  tables: ['two_factor', 'two_factor_recovery_codes', 'two_factor_passkeys'],
  exported: { two_factor_methods: { schema: listOfModule, inProfile: true } },
  collect: async (ctx, user) => ({
    two_factor_methods: (await userMethodsOf(ctx, user.id)).map(listedMethod),
  }),
}
