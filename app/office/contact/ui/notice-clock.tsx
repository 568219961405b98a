/** Time left to answer a legal notice. Red once it's late. */
import { Clock } from 'lucide'
import { Badge } from '#app/kit/ui/badge.tsx'
import { plural } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { useMinute } from '#app/kit/ui/relative-time.tsx'

export function NoticeClock({ answerBy }: { answerBy: string }) {
  const { text, isLate } = clockText(answerBy, useMinute())
  return (
    <Badge tone={isLate ? 'danger' : 'tea'} icon={<Icon of={Clock} />}>
      <time dateTime={answerBy}>
        <span className="sr-only">Answer: </span>
        {text}
      </time>
    </Badge>
  )
}

const HOUR_MS = 3_600_000

/**
 * "5 hours left", "2 days late".
 * @param now ms since 1970
 */
export function clockText(answerBy: string, now: number): { text: string; isLate: boolean } {
  const left = Date.parse(answerBy) - now
  const hours = Math.floor(Math.abs(left) / HOUR_MS)
  const isLate = left <= 0
  const span =
    hours < 1
      ? 'less than an hour'
      : hours < 48
        ? plural(hours, 'hour')
        : plural(Math.floor(hours / 24), 'day')
  return { text: `${span} ${isLate ? 'late' : 'left'}`, isLate }
}

/** Only the hour is stored. */
const SHORT = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', hour: 'numeric' })
const LONG = new Intl.DateTimeFormat('en', { dateStyle: 'long' })
const HOUR = new Intl.DateTimeFormat('en', { hour: 'numeric' })

export function MessageHour({ iso, isLong }: { iso: string; isLong?: boolean }) {
  const moment = new Date(iso)
  return (
    <time dateTime={iso}>
      {isLong ? `${LONG.format(moment)}, about ${HOUR.format(moment)}` : SHORT.format(moment)}
    </time>
  )
}
