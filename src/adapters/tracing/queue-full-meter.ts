import type { Counter, Meter } from '@opentelemetry/api'

/** Reports only the spans that the SDK drops because its queue is full. Nothing else tells of them. */
export function queueFullMeter(
  { createNoopMeter }: Pick<typeof import('@opentelemetry/api'), 'createNoopMeter'>,
  onDropped: (count: number) => void,
): Meter {
  const counter: Counter = {
    add(count, attributes) {
      if (attributes?.['error.type'] === 'queue_full') onDropped(count)
    },
  }
  // The library returns the same object to everybody.
  const meter: Meter = Object.create(createNoopMeter())
  meter.createCounter = () => counter as never
  return meter
}
