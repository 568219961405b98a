/** When a reply was written: to the minute, or the month below a note. */
import { dateText } from '#app/kit/ui/format.ts'
import { RelativeTime } from '#app/kit/ui/relative-time.tsx'

export const WrittenAt = ({ at }: { at: string }) =>
  /^\d{4}-\d\d$/.test(at) ? <time dateTime={at}>{dateText(at)}</time> : <RelativeTime iso={at} />
