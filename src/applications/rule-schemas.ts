import Type from 'typebox'
import { maxMethods } from './sign-in-methods.ts'

export const ruleMembers = {
  sign_in_methods: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: maxMethods,
      description:
        'ways to sign in that the application accepts: `password`, `passkey`, `email`, `sms`, or the name of a provider, ' +
        'such as `google`. At least one must be on in the settings. Empty, the default: all',
      examples: [['passkey', 'google']],
    }),
  ),
  registration: Type.Optional(
    Type.Boolean({
      description: 'whether users may register on the way to the application, if the settings allow it; default: true',
    }),
  ),
}
