/** Asks before someone leaves words that nothing keeps, by a link, by Back or by closing the tab. */
import { guardAddress } from './address.ts'
import { isUnsaved, watchWords } from './unsaved-words.ts'

/** What was about to happen. */
let leave: (() => void) | undefined
const watchers = new Set<() => void>()

function ask(next: typeof leave) {
  leave = next
  for (const watcher of watchers) watcher()
}

/** For the one dialog that asks. */
export const leaving = {
  current: () => leave,
  stay: () => ask(undefined),
  watch: (watcher: () => void) => {
    watchers.add(watcher)
    return () => {
      watchers.delete(watcher)
    }
  },
}

/**
 * Does it at once, or after a yes if words would be lost.
 * @param within limits it to the words in there
 * @returns whether it was done
 */
export function leaveBy(go: () => void, within?: ParentNode): boolean {
  const isFree = !isUnsaved(within)
  if (isFree) go()
  else ask(go)
  return isFree
}

/** Guards the page from now on. */
export function guardLeaving() {
  let here = place()
  /** How far Back went, while we return. */
  let steps: number | undefined
  let isFree = false
  for (const moved of ['pushState', 'replaceState', 'hashchange'])
    addEventListener(moved, () => {
      if (isHere(here) || steps === undefined) here = place()
    })

  const onMove = (event: PopStateEvent) => {
    if (isHere(here)) {
      const way = steps
      steps = undefined
      // Only now, as the page follows the address, which was the other one until here.
      if (way !== undefined)
        ask(() => {
          isFree = true
          history.go(way)
        })
    } else if (isFree || !isUnsaved()) {
      isFree = false
      here = place()
    } else {
      event.stopImmediatePropagation()
      steps = stepsFrom(here)
      history.go(-steps)
    }
  }
  guardAddress({ leaveBy, onMove })

  const onClose = (event: BeforeUnloadEvent) => {
    if (isUnsaved(undefined, true)) event.preventDefault()
  }
  // Not before there's something to lose, as some browsers cache no page that listens to it.
  watchWords(document, () => addEventListener('beforeunload', onClose))
}

interface Place {
  path: string
  index: number | undefined
}

const place = (): Place => ({
  path: location.pathname + location.search,
  index: window.navigation?.currentEntry?.index,
})

const isHere = ({ path }: Place) => path === location.pathname + location.search

/** Browsers that don't say how far count as one step back. */
function stepsFrom({ index }: Place) {
  const now = place().index
  return now === undefined || index === undefined || now === index ? -1 : now - index
}
