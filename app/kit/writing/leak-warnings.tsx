import { ExternalLink } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { linkClasses } from '../ui/class-names.ts'
import { plural } from '../ui/format.ts'
import { Icon } from '../ui/icon.tsx'
import type { LeakField, Leaks as LeakList } from './leaks.tsx'

/** While people write, shows what could reveal them. Never blocks. Its code loads with the first words. */
export function LeakWarnings({ places, isAmongColleagues }: LeakWarningsProps) {
  const [Leaks, setLeaks] = useState<typeof LeakList>()
  const [count, setCount] = useState(0)
  const written = places.map(({ text }) => text).join('')
  useEffect(() => {
    if (Leaks || written === '') return
    let isWanted = true
    import('./leaks.tsx').then(
      (it) => isWanted && setLeaks(() => it.Leaks),
      // This is only advice, so a failure doesn't matter. The next letter tries again.
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [Leaks, written])
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && `Could someone recognize you? ${plural(count, 'place')} to check.`}
      </p>
      {Leaks && <Leaks places={places} onFound={setCount} isAmongColleagues={isAmongColleagues} />}
    </>
  )
}

interface LeakWarningsProps {
  places: LeakField[]
  /** Readers know the place, so more details give someone away. */
  isAmongColleagues?: boolean
}

/**
 * Asks once before a form sends an email address or phone number. @returns the form's question, or
 * undefined if there's nothing to ask
 */
export function useContactQuestion() {
  const asked = useRef<string[]>([])
  return async (text: string): Promise<{ form: string } | undefined> => {
    // If the code didn't load, we don't get in the way.
    const guard = await import('./leak-guard.ts').catch(() => undefined)
    const contacts = guard?.contactsIn(text) ?? []
    const found = contacts.find((it) => !asked.current.includes(it))
    if (!found) return
    asked.current = contacts
    return {
      form: `“${found}” leads straight to a person. Take it out, or press the button again to post it.`,
    }
  }
}

/** Tells people who are about to write what that reveals about them. Opens in a new tab, so their text stays. */
export const AnonymityLink = () => (
  <a href="/anonymity" target="_blank" rel="noopener" className={linkClasses}>
    How we keep you{' '}
    <span className="whitespace-nowrap">
      anonymous
      <Icon of={ExternalLink} className="ml-1 inline size-3.5" />
    </span>
    <span className="sr-only"> (opens in a new tab)</span>
  </a>
)
