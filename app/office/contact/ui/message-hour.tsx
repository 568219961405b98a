/** When a message came: its hour is all that is kept. */

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
