import type { Counter, Meter } from '@opentelemetry/api'

/**
 * Reports spans that the SDK drops because its queue is full. The SDK exposes them only through this internal meter.
 */
export function queueFullMeter(
  { createNoopMeter }: Pick<typeof import('@opentelemetry/api'), 'createNoopMeter'>,
  onDropped: (count: number) => void,
): Meter {
  const counter: Counter = {
    add(count, attributes) {
      if (attributes?.['error.type'] === 'queue_full') onDropped(count)
    },
  }
  // `createNoopMeter` returns a shared object, which must not be changed.
  const meter: Meter = Object.create(createNoopMeter())
  meter.createCounter = () => counter as never
  return meter
}
