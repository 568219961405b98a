/** A tooltip for any element with `data-tooltip="text"`. Spec §9. Mount the host once. */

import { type ComponentType, useEffect, useState } from 'react'
import type { TooltipPopupProps } from './tooltip-popup.tsx'

/** Spec §9. */
export const TOOLTIP_DELAY_MS = 700
/** Within this time after a tooltip, the next one opens immediately. Spec §9. */
export const TOOLTIP_SKIP_DELAY_MS = 300
/** Time to move to the tooltip, because people can hover over it (WCAG 1.4.13). */
const CROSSING_MS = 120

/** The id in `aria-describedby` while the tooltip shows. */
const TOOLTIP_ID = 'tooltip'

/** One listener. The popup's code loads at the first hover or focus. Escape, a press and leaving close it. */
export function TooltipHost() {
  const [Popup, setPopup] = useState<ComponentType<TooltipPopupProps>>()
  const [element, setElement] = useState<HTMLElement>()

  useEffect(() => {
    let shown: HTMLElement | undefined
    let next: HTMLElement | undefined
    let timer: ReturnType<typeof setTimeout>
    let closedAt = Number.NEGATIVE_INFINITY
    let hasCode = false

    const loadCode = () => {
      if (hasCode) return
      hasCode = true
      import('./tooltip-popup.tsx').then(
        (loaded) => setPopup(() => loaded.TooltipPopup),
        () => {
          hasCode = false
        },
      )
    }
    const show = (target: HTMLElement) => {
      if (!target.isConnected) return
      if (shown && shown !== target) undescribe(shown)
      shown = target
      describe(target)
      setElement(target)
    }
    const hide = () => {
      clearTimeout(timer)
      next = undefined
      if (!shown) return
      undescribe(shown)
      shown = undefined
      closedAt = performance.now()
      setElement(undefined)
    }
    const showAfter = (target: HTMLElement, delay: number) => {
      loadCode()
      clearTimeout(timer)
      if (target === shown) return
      next = target
      timer = setTimeout(() => show(target), delay)
    }

    const reach = (event: PointerEvent) => {
      if (event.pointerType === 'touch') return
      const target = hinted(event.target)
      if (target === next && !shown) return
      if (target) {
        const isRecent = shown || performance.now() - closedAt < TOOLTIP_SKIP_DELAY_MS
        showAfter(target, isRecent ? 0 : TOOLTIP_DELAY_MS)
      } else if (isInTooltip(event.target)) clearTimeout(timer)
      else if (shown || next) {
        clearTimeout(timer)
        timer = setTimeout(hide, shown ? CROSSING_MS : 0)
      }
    }
    const focus = (event: FocusEvent) => {
      const target = hinted(event.target)
      if (target?.matches(':focus-visible')) showAfter(target, 0)
      else hide()
    }
    const pressKey = (event: KeyboardEvent) => event.key === 'Escape' && hide()

    const stop = new AbortController()
    const { signal } = stop
    document.addEventListener('pointerover', reach, { signal })
    document.addEventListener('focusin', focus, { signal })
    document.addEventListener('focusout', hide, { signal })
    document.addEventListener('pointerdown', hide, { signal, capture: true })
    document.addEventListener('keydown', pressKey, { signal, capture: true })
    document.documentElement.addEventListener('pointerleave', hide, { signal })
    return () => {
      stop.abort()
      hide()
    }
  }, [])

  return Popup ? <Popup element={element} id={TOOLTIP_ID} /> : null
}

const hinted = (target: EventTarget | null) =>
  target instanceof Element
    ? (target.closest<HTMLElement>('[data-tooltip]:not([data-tooltip=""])') ?? undefined)
    : undefined

const isInTooltip = (target: EventTarget | null) =>
  target instanceof Element && target.closest(`#${TOOLTIP_ID}`) !== null

/** If a tooltip repeated the element's name, screen readers would read it twice. */
function describe(element: HTMLElement) {
  if (element.dataset.tooltip === element.getAttribute('aria-label')) return
  const ids = idsDescribing(element)
  element.setAttribute('aria-describedby', [...ids, TOOLTIP_ID].join(' '))
}

function undescribe(element: HTMLElement) {
  const ids = idsDescribing(element)
  if (ids.length > 0) element.setAttribute('aria-describedby', ids.join(' '))
  else element.removeAttribute('aria-describedby')
}

const idsDescribing = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(/\s+/)
    .filter((id) => id !== '' && id !== TOOLTIP_ID)
