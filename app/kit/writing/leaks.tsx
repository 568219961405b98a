import { EyeOff, X } from 'lucide'
import { useEffect, useMemo, useState } from 'react'
import { useSession } from '../session/session.data.ts'
import { IconButton } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useDebounced } from '../ui/use-debounced.ts'
import { type Leak, leaksIn } from './leak-guard.ts'

/** A pause in writing. */
const DEBOUNCE_MS = 600
/** More hints than this would be too much advice. */
const SHOWN_MAX = 6

/** Lists what could reveal the writer, found in the browser. @param onFound gets the number */
export function Leaks({ places, onFound, isAmongColleagues = false }: LeaksProps) {
  const { me } = useSession()
  const [dismissed, setDismissed] = useState<string[]>([])
  const settled = useDebounced(places.map(({ text }) => text).join('\0'), DEBOUNCE_MS)
  const username = me?.profile?.username
  const mailbox = me?.email?.split('@')[0]
  const leaks = useMemo(
    () =>
      settled
        .split('\0')
        .flatMap((text, at) =>
          leaksIn(text, { username, mailbox, isAmongColleagues }).map((leak) => ({ ...leak, at })),
        ),
    [settled, username, mailbox, isAmongColleagues],
  )
  // Drops words that were removed since, without waiting for the next pause.
  const current = leaks.filter(({ at, text }) => places[at]?.text.includes(text))
  // The same words in ten places make one piece of advice.
  const found = [...new Map(current.map((leak) => [leak.text, leak])).values()].filter(
    ({ text }) => !dismissed.includes(text),
  )
  const shown = found.slice(0, SHOWN_MAX)
  useEffect(() => onFound(found.length), [onFound, found.length])

  if (found.length === 0) return null
  return (
    <section
      aria-label="Could someone recognize you?"
      className="rounded-lg border border-tea/30 bg-tea-soft px-4 py-3"
    >
      <p className="flex items-center gap-2 text-sm font-semibold text-tea-strong">
        <Icon of={EyeOff} className="size-4 shrink-0" />
        Could someone recognize you?
      </p>
      <ul className="mt-1.5 grid grid-cols-1 gap-1">
        {shown.map((leak) => (
          <li
            key={leak.text}
            className="relative flex flex-wrap items-baseline gap-x-2.5 pr-9 text-sm leading-6 text-ink"
          >
            <button
              type="button"
              aria-label={`Show “${leak.text}” in the text`}
              onClick={() => showLeak(places[leak.at], leak)}
              className="min-h-8 max-w-full text-left font-medium break-words text-tea-strong underline decoration-tea/40 underline-offset-4 hover:decoration-tea"
            >
              {leak.text}
            </button>
            <span className="min-w-0 flex-1 basis-56">{leak.advice}</span>
            <IconButton
              label={`Dismiss “${leak.text}”`}
              onClick={() => {
                setDismissed([...dismissed, leak.text])
                showLeak(places[leak.at], leak)
              }}
              className="absolute -top-0.5 -right-2"
            >
              <Icon of={X} />
            </IconButton>
          </li>
        ))}
      </ul>
      <p className="mt-1.5 text-sm leading-5 text-ink-soft">
        {found.length > shown.length && `And ${found.length - shown.length} more. `}
        It’s up to you. This check never left your browser.
      </p>
    </section>
  )
}

/** The text may have changed since. */
function showLeak(place: LeakField | undefined, { text, start, end }: Leak) {
  if (!place) return
  const isThere = place.text.slice(start, end) === text
  const from = isThere ? start : place.text.indexOf(text)
  if (from >= 0) place.select(from, from + text.length)
}

export interface LeakField {
  text: string
  select: (start: number, end: number) => void
}

interface LeaksProps {
  places: LeakField[]
  onFound: (count: number) => void
  isAmongColleagues?: boolean | undefined
}
