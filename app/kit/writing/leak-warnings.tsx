/** Says while somebody writes what could tell who they are. Its code comes with the first words. */
import { useEffect, useState } from 'react'
import { plural } from '../ui/number.ts'
import type { LeakField, Leaks as LeakList } from './leaks.tsx'

/** Each place is a text with a way to show a part of it, selected. It never blocks. */
export function LeakWarnings({ places, isAmongColleagues }: LeakWarningsProps) {
  const [Leaks, setLeaks] = useState<typeof LeakList>()
  const [count, setCount] = useState(0)
  const written = places.map(({ text }) => text).join('')
  useEffect(() => {
    if (Leaks || written === '') return
    let isWanted = true
    import('./leaks.tsx').then(
      (it) => isWanted && setLeaks(() => it.Leaks),
      // It only advises. What is written next asks for it again.
      () => {},
    )
    return () => {
      isWanted = false
    }
  }, [Leaks, written])
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && `Could somebody recognise you? ${plural(count, 'place')} to look at.`}
      </p>
      {Leaks && <Leaks places={places} onFound={setCount} isAmongColleagues={isAmongColleagues} />}
    </>
  )
}

interface LeakWarningsProps {
  places: LeakField[]
  /** Those who read it know the place: then more gives somebody away. */
  isAmongColleagues?: boolean
}
