/** Where a visit to another page may lead back to: a page of the account, never another host or another part of this one. */
export const ownAddress = (wish: string | undefined): string =>
  /^\/account(\/[a-z0-9-]+)*(\?[\w=&-]*)?$/.test(wish ?? '') ? (wish as string) : '/account'
