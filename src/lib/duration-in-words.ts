export function durationInWords(seconds: number, lang: string): string {
  const units = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ] as const
  const [unit, size] = units.find(([, length]) => seconds % length === 0 && seconds / length > 1) ?? ['second', 1]
  return new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(seconds / size)
}
