let list: Promise<ReadonlySet<string>> | undefined

/** The list is loaded when the first password is set. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  list ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => {
    const source: unknown = dictionary
    const { 'passwords-common': common } = source as Record<string, string[]>
    if (!common || common.length < 10_000)
      throw new Error('the list of common passwords is missing from @zxcvbn-ts/language-common')
    return new Set(common)
  })
  return list
}
