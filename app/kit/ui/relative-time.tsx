/** "just now", "5 minutes ago". Spec §9. */
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const

/** `now` in milliseconds. Under a minute, or in the future, it's "just now". */
export function relativeTime(iso: string, now: number): string {
  const age = now - Date.parse(iso)
  for (const [unit, length] of UNITS) {
    const count = Math.floor(age / length)
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}

/** A `<time>` that updates while the page is open. */
export function RelativeTime({ iso, className }: { iso: string; className?: string }) {
  const now = useMinute()
  const element = useRef<HTMLTimeElement>(null)
  const text = relativeTime(iso, now)
  // A cached page has an older text, and React leaves it alone when it hydrates. So we write it
  // ourselves.
  useLayoutEffect(() => {
    if (element.current) element.current.textContent = text
  }, [text])
  return (
    <time ref={element} dateTime={iso} className={className} suppressHydrationWarning>
      {text}
    </time>
  )
}

export const useMinute = () => useSyncExternalStore(everyMinute, currentTime, currentTime)

let lastRead = 0

/** A time that's at most half a minute old, so everything in a render sees the same one. */
function currentTime() {
  const now = Date.now()
  if (now - lastRead >= MINUTE / 2) lastRead = now
  return lastRead
}

const watchers = new Set<() => void>()
let clock: ReturnType<typeof setInterval> | undefined

/** One clock for the whole page. */
function everyMinute(watcher: () => void) {
  watchers.add(watcher)
  clock ??= setInterval(() => {
    for (const each of watchers) each()
  }, MINUTE)
  return () => {
    watchers.delete(watcher)
    if (watchers.size > 0) return
    clearInterval(clock)
    clock = undefined
  }
}

/** A date in the reader's time zone, or in UTC until we know that. */
const inWords = (iso: string, timeZone?: string) =>
  new Date(iso).toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', timeZone })

export function LocalTime({ iso }: { iso: string }) {
  const isHere = useSyncExternalStore(neverChanges, inBrowser, onServer)
  return <time dateTime={iso}>{isHere ? inWords(iso) : `${inWords(iso, 'UTC')} UTC`}</time>
}

const neverChanges = () => () => {}
const inBrowser = () => true
const onServer = () => false
