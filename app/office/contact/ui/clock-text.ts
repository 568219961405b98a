/** How long it is until an answer is due. */
import { plural } from '#app/kit/ui/number.ts'

const HOUR = 3_600_000

/** "5 hours left", "2 days late". @param now milliseconds */
export function clockText(answerBy: string, now: number): { text: string; isLate: boolean } {
  const left = Date.parse(answerBy) - now
  const hours = Math.floor(Math.abs(left) / HOUR)
  const isLate = left <= 0
  const span =
    hours < 1
      ? 'less than an hour'
      : hours < 48
        ? plural(hours, 'hour')
        : plural(Math.floor(hours / 24), 'day')
  return { text: `${span} ${isLate ? 'late' : 'left'}`, isLate }
}
