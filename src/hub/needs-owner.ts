import { lacksRight } from '../db/errors.ts'
import { AppError } from '../lib/errors.ts'

const advice = 'the database role of the service must not create tables. Run "wardenry module install" as their owner'

export const needsOwner = (error: unknown): AppError | undefined =>
  lacksRight(error)
    ? new AppError('MODULE_RUN_FAILED', {
        sentence: `The installation failed and was rolled back: ${advice}`,
        details: [{ field: 'run', message: `${advice}: with the DATABASE_URL of the role that owns the tables` }],
        cause: error,
      })
    : undefined
