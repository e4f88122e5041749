const brands: Record<string, string> = {
  google: 'Google',
  github: 'GitHub',
  facebook: 'Facebook',
  apple: 'Apple',
  discord: 'Discord',
  microsoft: 'Microsoft',
  oidc: 'OpenID Connect',
}

/** How people know a provider of sign-ins. */
export const providerName = (provider: string): string => brands[provider] ?? provider
