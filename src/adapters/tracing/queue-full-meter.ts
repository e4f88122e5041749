import type { Counter, Meter } from '@opentelemetry/api'

/** Reports only the spans that the SDK drops because its queue is full. The SDK reports them in no other way. */
export function queueFullMeter(
  { createNoopMeter }: Pick<typeof import('@opentelemetry/api'), 'createNoopMeter'>,
  onDropped: (count: number) => void,
): Meter {
  const counter: Counter = {
    add(count, attributes) {
      if (attributes?.['error.type'] === 'queue_full') onDropped(count)
    },
  }
  // All callers of the library share one object, so it must not be changed.
  const meter: Meter = Object.create(createNoopMeter())
  meter.createCounter = () => counter as never
  return meter
}
