const UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['KB', 1e3],
] as const

/** 1234567890 → "1.2 GB", 45678 → "46 KB". */
export function sizeText(bytes: number) {
  const [unit, size] = UNITS.find(([, size]) => bytes >= size) ?? ['KB', 1e3]
  const value = bytes / size
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`
}
