/** When a reply was written: to the minute, or below a note, whose own time is a month, the month. */
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { monthName } from '../../ratings/rating-trend.ts'

export const WrittenAt = ({ at }: { at: string }) =>
  /^\d{4}-\d\d$/.test(at) ? <time dateTime={at}>{monthName(at)}</time> : <RelativeTime iso={at} />
