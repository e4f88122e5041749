import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createApplicationSet } from '../../src/applications/application-set.ts'
import { storedApplication } from '../../test/applications/support.ts'
import { addressesEach } from '../applications.ts'

const calls = 200_000
const rounds = 7

interface ApplicationFigures {
  applications: number
  /** The memory on a node. */
  megabytes: number
  /** Medians of the rounds. */
  return_address_us: number
  origin_us: number
  unknown_origin_us: number
}

/** The memory of stored applications and the time of look-ups, in this process. */
export function measureApplications(count: number): ApplicationFigures {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const before = heapAfter(collect)
  const set = createSet(count)
  const after = heapAfter(collect)
  const megabytes = (after - before) / 2 ** 20
  const url = new URL(`https://shop-${count - 1}.example.com/path-2/cart?item=1`)
  if (!set.ofReturnAddress(url) || !set.ofOrigin(url.origin)) throw new Error('The last application was not found')
  return {
    applications: count,
    megabytes: rounded(megabytes),
    return_address_us: timeOf(() => set.ofReturnAddress(url)),
    origin_us: timeOf(() => set.ofOrigin(url.origin)),
    unknown_origin_us: timeOf(() => set.ofOrigin('https://unknown.example.com')),
  }
}

/** The first collection may only finish one that had begun. */
function heapAfter(collect: () => void): number {
  for (let round = 0; round < 3; round++) collect()
  return process.memoryUsage().heapUsed
}

/** From JSON, because equal strings in the code would be the same string in memory. */
const createSet = (count: number) => createApplicationSet(1, JSON.parse(JSON.stringify(stored(count))))

const stored = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const origin = `https://shop-${index}.example.com`
    const paths = Array.from({ length: addressesEach - 1 }, (_, path) => `${origin}/path-${path}`)
    return storedApplication(`shop-${index}`, paths, { origins: [origin] })
  })

/** In microseconds. */
function timeOf(work: () => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const started = performance.now()
    for (let call = 0; call < calls; call++) work()
    return ((performance.now() - started) * 1_000) / calls
  }).sort((one, other) => one - other)
  return rounded(times[Math.floor(rounds / 2)] ?? 0)
}

const rounded = (figure: number): number => Math.round(figure * 1_000) / 1_000
