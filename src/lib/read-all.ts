import { AppError, type FieldProblem } from './errors.ts'

/** Reads one field; undefined when it is wrong, which is remembered. */
export type Attempt = <Value>(read: () => Value) => Value | undefined

/** What `read` makes of the fields of a request. Throws VALIDATION_ERROR with all that is wrong, not only the first. */
export function readAll<Result>(read: (attempt: Attempt) => Result): Result {
  const problems: FieldProblem[] = []
  const result = read((readField) => {
    try {
      return readField()
    } catch (error) {
      if (!(error instanceof AppError && error.details)) throw error
      problems.push(...error.details)
      return undefined
    }
  })
  if (problems.length > 0) throw new AppError('VALIDATION_ERROR', { details: problems })
  return result
}

/** Reads one member, unless it was not given. */
export type ReadMember = <Value, Result>(
  value: Value | undefined,
  reader: (value: Value) => Result,
) => Result | undefined

/** The same for members that need not be there: what is not given is undefined, and nothing wrong. */
export const readGiven = <Result>(make: (read: ReadMember) => Result): Result =>
  readAll((attempt) => make((value, reader) => (value === undefined ? undefined : attempt(() => reader(value)))))
