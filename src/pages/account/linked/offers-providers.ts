import type { Context } from '../../../context.ts'

const names = ['GOOGLE', 'GITHUB', 'FACEBOOK', 'APPLE', 'DISCORD', 'MICROSOFT', 'OIDC'] as const

export const offersProviders = ({ config }: Pick<Context, 'config'>): boolean =>
  config.SOCIAL_LOGIN && names.some((name) => config[`${name}_CLIENT_ID`] !== undefined)
