/** Only pages of the account are allowed as return paths, to prevent open redirects. */
export const ownAddress = (wish: string | undefined): string =>
  /^\/account(\/[a-z0-9-]+)*(\?[\w=&-]*)?$/.test(wish ?? '') ? (wish as string) : '/account'
