import { adminTextsFor } from '../../../ui/console/texts/index.ts'

interface ShownPeriod {
  start: string
  new_people: number
  sign_ins: number
  failures: number
}

type Series = 'new_people' | 'sign_ins' | 'failures'

/** In drawing units. The drawing scales with the page. */
const size = { width: 600, height: 160 }

/** Returns the bars of one or more series, placed side by side, and the same values for a table. */
export function plotOf(
  { periods, unit }: { periods: readonly ShownPeriod[]; unit: 'hour' | 'day' | 'month' },
  names: readonly Series[],
  { id, title }: { id: string; title: string },
  lang: string,
) {
  const { series } = adminTextsFor(lang).overview
  const number = new Intl.NumberFormat(lang)
  const time = new Intl.DateTimeFormat(lang, { ...formats[unit], timeZone: 'UTC' })
  const labelOf = ({ start }: ShownPeriod) => time.format(new Date(start))
  const highest = Math.max(1, ...periods.flatMap((period) => names.map((name) => period[name])))
  const [first, last] = [periods[0], periods.at(-1)]
  return {
    id,
    title,
    size,
    bars: barsOf(periods, names, highest),
    highest: number.format(highest),
    first: first ? labelOf(first) : '',
    last: last ? labelOf(last) : '',
    series: names.map((name) => ({
      name,
      label: series[name],
      total: number.format(periods.reduce((sum, period) => sum + period[name], 0)),
    })),
    rows: periods.map((period) => ({
      label: labelOf(period),
      values: names.map((name) => number.format(period[name])),
    })),
  }
}

function barsOf(periods: readonly ShownPeriod[], names: readonly Series[], highest: number) {
  const slot = size.width / Math.max(1, periods.length)
  const width = (slot * 0.8) / names.length
  return periods.flatMap((period, index) =>
    names.flatMap((series, place) => {
      const height = (period[series] / highest) * size.height
      const x = index * slot + slot * 0.1 + place * width
      const bar = { series, x: round(x), y: round(size.height - height), width: round(width), height: round(height) }
      return height > 0 ? [bar] : []
    }),
  )
}

const formats: Record<'hour' | 'day' | 'month', Intl.DateTimeFormatOptions> = {
  hour: { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
  month: { month: 'short', year: 'numeric' },
}

const round = (value: number): number => Math.round(value * 100) / 100
