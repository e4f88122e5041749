import { isMainThread } from 'node:worker_threads'

// Preloaded into a service. Shifts its system clock by TEST_CLOCK_SHIFT milliseconds.
const shift = Number(process.env.TEST_CLOCK_SHIFT)
const RealDate = Date

class ShiftedDate extends RealDate {
  constructor(...given: [] | [number | string | Date]) {
    if (given.length === 0) super(RealDate.now() + shift)
    else super(...given)
  }

  static override now(): number {
    return RealDate.now() + shift
  }
}

if (isMainThread) globalThis.Date = ShiftedDate as DateConstructor
