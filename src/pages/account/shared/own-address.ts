/** Only paths of the account and the console are allowed as return paths, to prevent open redirects. */
export const ownAddress = (requested: string | undefined): string =>
  /^\/(account|admin)(\/[a-z0-9_-]+)*(\?[\w=&%.+~*-]*)?$/.test(requested ?? '') ? (requested as string) : '/account'
