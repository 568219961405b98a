/** A clock that stands still in a hidden tab: nobody is there to be told. */

/** Does `work` every `every` ms while the tab is seen; at once on coming back, if it is due by then. */
export function whileVisible(every: number, work: () => void): () => void {
  let last = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    if (!document.hidden) timer = setTimeout(tick, Math.max(0, last + every - Date.now()))
  }
  const tick = () => {
    last = Date.now()
    plan()
    work()
  }
  plan()
  document.addEventListener('visibilitychange', plan)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', plan)
  }
}
