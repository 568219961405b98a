/** Parts of a page that only show: until their code is here, the server's markup is all there is to them. */
import type { ReactNode } from 'react'
import { type PagePart, pagePart } from './page-part.tsx'

/** Nobody waits for what is there already: until then it would be in the way of what they came for. */
const FIRST_LOOK_MS = 3000

/**
 * Like `pagePart`, for what has nothing to press but links and `<details>`. On the first page its
 * code comes late; on later ones it comes with them, and at once after `load()`.
 */
export function stillPart<Props extends object>(
  load: Parameters<typeof pagePart<Props>>[0],
  fallback: ReactNode,
): PagePart<Props> {
  let begin = () => {}
  const isWanted = new Promise<void>((resolve) => {
    begin = resolve
  })
  const Part = pagePart(() => Promise.race([isWanted, firstLook()]).then(load), fallback)
  return Object.assign((props: Props) => <Part {...props} />, {
    load() {
      begin()
      return Part.load()
    },
  })
}

const firstLook = () =>
  new Promise<void>((resolve) => setTimeout(resolve, FIRST_LOOK_MS - performance.now()))
