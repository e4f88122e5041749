const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** Whether two letters are a country of ISO 3166-1 alpha-2. */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !['EU', 'UN', 'EZ', 'XA', 'XB', 'ZZ', 'QO'].includes(code) && names.of(code) !== undefined
