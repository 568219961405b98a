/** News of a thread, once somebody has stayed for a moment: at first there is none, and much to load. */
import { type ComponentProps, useEffect, useState } from 'react'
import type { NewComments } from './new-comments.tsx'

const STAYED_MS = 2_500

export function LaterNews(props: ComponentProps<typeof NewComments>) {
  const [News, setNews] = useState<typeof NewComments>()
  useEffect(() => {
    let isWanted = true
    const listen = () =>
      import('./new-comments.tsx').then(
        (it) => isWanted && setNews(() => it.NewComments),
        // The page is whole without them.
        () => {},
      )
    const timer = setTimeout(listen, STAYED_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [])
  return News ? <News {...props} /> : null
}
