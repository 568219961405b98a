import { navigate } from './address.ts'

/** If a pointer rests on a link this long, the person probably wants to open it. */
const HOVER_INTENT_MS = 65

/**
 * One listener follows plain `<a href>` links within the site, which work before any script. Calls `prefetch` at the
 * first intent: 65 ms of hover, focus, or touch. The browser keeps other sites, files, `#fragments`, `target`,
 * `download` and modified clicks. `data-replace` replaces the history entry. Returns a function that stops it.
 */
export function followLinks(prefetch: (href: string) => void) {
  let hover: ReturnType<typeof setTimeout>
  const expect = (event: Event) => {
    const link = linkOf(event.target)
    if (link) prefetch(link.href)
  }
  const rest = (event: PointerEvent) => {
    clearTimeout(hover)
    const link = event.pointerType === 'mouse' ? linkOf(event.target) : undefined
    if (link) hover = setTimeout(() => prefetch(link.href), HOVER_INTENT_MS)
  }
  const follow = (event: MouseEvent) => {
    const { defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey } = event
    if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return
    const link = linkOf(event.target)
    if (!link) return
    event.preventDefault()
    const replace = 'replace' in link.dataset
    navigate(link.pathname + link.search + link.hash, { replace, isLink: true })
  }

  const stop = new AbortController()
  const { signal } = stop
  document.addEventListener('click', follow, { signal })
  document.addEventListener('pointerover', rest, { signal })
  document.addEventListener('focusin', expect, { signal })
  document.addEventListener('touchstart', expect, { signal, passive: true })
  return () => {
    clearTimeout(hover)
    stop.abort()
  }
}

/** The link around `target`, if it leads to another page of this site. */
function linkOf(target: EventTarget | null) {
  const link = target instanceof Element ? target.closest('a') : null
  if (!link?.href || link.target || link.download) return undefined
  if (link.origin !== window.location.origin || /^\/(api|assets)\//.test(link.pathname))
    return undefined
  const isHere =
    link.pathname === window.location.pathname && link.search === window.location.search
  return isHere && link.hash ? undefined : link
}

/** Spec §9. */
const CLICK_GUARD_MS = 300

/**
 * Everything that acts when pressed. Links only navigate, so pressing twice is harmless. A link that does more has
 * `data-guarded`.
 */
const GUARDED = 'button, [role=button], [role^=menuitem], [data-guarded]'

/**
 * Stops repeat clicks within 300 ms (Spec §2.4, §9): on the same button, or as the second of a double click when the
 * first put another button there. One listener runs before all others, so no button is forgotten.
 */
export function guardClicks(page: EventTarget) {
  const lastClicks = new WeakMap<Element, number>()
  let lastOfAll = Number.NEGATIVE_INFINITY
  const ignoreRepeat = (event: Event) => {
    const button = (event.target as Element).closest(GUARDED)
    if (!button) return
    const isSecond = (event as MouseEvent).detail > 1
    const lastClick = isSecond ? lastOfAll : (lastClicks.get(button) ?? Number.NEGATIVE_INFINITY)
    if (event.timeStamp - lastClick < CLICK_GUARD_MS) {
      event.preventDefault()
      event.stopImmediatePropagation()
    } else {
      lastClicks.set(button, event.timeStamp)
      lastOfAll = event.timeStamp
    }
  }
  page.addEventListener('click', ignoreRepeat, { capture: true })
}
