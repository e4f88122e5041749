/** Only account pages are allowed as return paths, to prevent open redirects. */
export const ownAddress = (requested: string | undefined): string =>
  /^\/account(\/[a-z0-9-]+)*(\?[\w=&-]*)?$/.test(requested ?? '') ? (requested as string) : '/account'
