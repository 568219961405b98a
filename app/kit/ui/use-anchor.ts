import { useEffect, useRef } from 'react'

/** Scrolls here if a link within the site led to `id`. If the browser opens the page, it scrolls by itself. */
export function useAnchor<Target extends HTMLElement>(id: string) {
  const target = useRef<Target>(null)
  useEffect(() => {
    const isLink = document.documentElement.classList.contains('alive')
    if (isLink && location.hash === `#${id}`) target.current?.scrollIntoView()
  }, [id])
  return target
}
