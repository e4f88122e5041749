/** To prevent open redirects, only account and console paths are allowed as return paths. */
export const ownAddress = (requested: string | undefined): string =>
  /^\/(account|admin)(\/[a-z0-9_-]+)*(\?[\w=&%.+~*-]*)?$/.test(requested ?? '') ? (requested as string) : '/account'
