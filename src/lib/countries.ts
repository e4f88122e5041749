const names = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** Whether the code is assigned in ISO 3166-1 alpha-2. */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && !['EU', 'UN', 'EZ', 'XA', 'XB', 'ZZ', 'QO'].includes(code) && names.of(code) !== undefined

export const countryCodes = (): string[] => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const codes = letters.flatMap((first) => letters.map((second) => first + second))
  return codes.filter((code) => isCountry(code) && new Intl.Locale(`und-${code}`).region === code)
}
