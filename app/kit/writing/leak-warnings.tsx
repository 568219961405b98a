import { useEffect, useState } from 'react'
import { plural } from '../ui/format.ts'
import { linkLook } from '../ui/looks.ts'
import type { LeakField, Leaks as LeakList } from './leaks.tsx'

/** Says while people write what could reveal them. Never blocks. Its code loads with the first words. */
export function LeakWarnings({ places, isAmongColleagues }: LeakWarningsProps) {
  const [Leaks, setLeaks] = useState<typeof LeakList>()
  const [count, setCount] = useState(0)
  const written = places.map(({ text }) => text).join('')
  useEffect(() => {
    if (Leaks || written === '') return
    let isWanted = true
    import('./leaks.tsx').then(
      (it) => isWanted && setLeaks(() => it.Leaks),
      // It only advises. The next letter tries again.
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
  /** Readers know the place, so more gives someone away. */
  isAmongColleagues?: boolean
}

/** For people about to write: what that says about them. In a new tab, so that their text stays. */
export const AnonymityLink = () => (
  <a href="/anonymity" target="_blank" rel="noopener" className={linkLook}>
    How we keep you anonymous
  </a>
)
