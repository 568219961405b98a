import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ConsentBanner } from '#app/kit/consent/ui/consent-banner.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { SharedIcons } from '#app/kit/ui/icon.tsx'
import { Toaster } from '#app/kit/ui/toaster.tsx'
import { TooltipHost } from '#app/kit/ui/tooltip.tsx'
import { FirstBadge } from '#app/kit/updates/ui/update-badge.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { hasFooter } from './navigation.ts'

export function Layout({ children }: { children: ReactNode }) {
  const { path } = useAddress()
  const main = useScrollToTop(path)
  const dock = useDock()
  return (
    <div className="pt-header print:pt-0">
      <SharedIcons />
      <a
        href="#main"
        className="sr-only rounded-md bg-tea px-4 py-2 font-medium text-on-tea focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-60"
      >
        Skip to content
      </a>
      <ConsentBanner />
      {dock && <dock.Dock />}
      <Header />
      {/* Fills the window, so the footer starts below the fold and never shifts. */}
      <main
        ref={main}
        id="main"
        tabIndex={-1}
        className="flex min-h-[calc(100svh-var(--spacing-header))] flex-col outline-none"
      >
        {children}
      </main>
      {hasFooter(path) && <Footer />}
      <Toaster />
      <TooltipHost />
      {!dock && <FirstBadge />}
    </div>
  )
}

/** Loads after the page itself. If this fails, the page works without it. */
function useDock() {
  const [dock, setDock] = useState<typeof import('./dock.tsx')>()
  // The layout lives as long as the page, so there's no cleanup.
  useEffect(() => {
    const load = () => import('./dock.tsx').then(setDock, () => {})
    if (document.readyState === 'complete') load()
    else addEventListener('load', load, { once: true })
  }, [])
  return dock
}

/** Scrolls to an anchor, or else to the top, on every path change (Spec §2.2). The focus moves, too. */
function useScrollToTop(path: string) {
  const main = useRef<HTMLElement>(null)
  const shownPath = useRef(path)
  useEffect(() => {
    if (shownPath.current === path) return
    shownPath.current = path
    window.scrollTo(0, 0)
    document.getElementById(location.hash.slice(1))?.scrollIntoView()
    main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
