import type { Sampler } from '@opentelemetry/sdk-trace'
import type { Config } from '../../config/load.ts'

type Library = Pick<
  typeof import('@opentelemetry/sdk-trace'),
  'AlwaysOnSampler' | 'AlwaysOffSampler' | 'TraceIdRatioBasedSampler' | 'ParentBasedSampler'
>

export function samplerOf(
  library: Library,
  { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: ratio = '1' }: Config,
): Sampler {
  const samplers: Record<string, () => Sampler> = {
    always_on: () => new library.AlwaysOnSampler(),
    always_off: () => new library.AlwaysOffSampler(),
    traceidratio: () => new library.TraceIdRatioBasedSampler(Number(ratio)),
  }
  const [, isParentBased, own = ''] = /^(parentbased_)?(.+)$/.exec(name) ?? []
  const root = samplers[own]!()
  return isParentBased ? new library.ParentBasedSampler({ root }) : root
}
