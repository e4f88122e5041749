/** Rethrows the error as a sentence for the terminal. `unknown` says what to do if the object does not exist. */
export const explainingRejections =
  (unknown: string) =>
  async (error: unknown): Promise<never> => {
    const { AppError } = await import('../lib/errors.ts')
    if (error instanceof AppError && error.code === 'NOT_FOUND') throw new Error(unknown)
    const problems = error instanceof AppError ? (error.details ?? []) : []
    if (problems.length === 0) throw error
    throw new Error(problems.map(({ field, message }) => `${field} ${message}`).join('\n'))
  }

/** Splits a list of an option at its commas. */
export const itemsIn = (text: string): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)
