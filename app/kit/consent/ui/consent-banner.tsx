/**
 * Asks about cookies, once, in a corner. It is in every page: first-script.js says whose browser has answered, and the
 * styles hide it there (`answered:`), as they do where no script could take an answer.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { currentConsent, decide, useConsent } from '../consent.data.ts'
import { ACCEPTED, BANNER_TEXTS, REJECTED } from '../consent.ts'
import { PreferencesDialog } from './lazy-preferences-dialog.ts'

/** How long it takes to fade out once there is an answer. */
const FADE_MS = 300
/** Below the `md` breakpoint of app.css, where the banner is as wide as the page. */
const PHONE = '(width < 768px)'

/** Shown while consent is pending. Spec §2.2, §4. */
export function ConsentBanner() {
  const isPending = useConsent().consentStatus === 'pending'
  const isShown = useLinger(isPending, FADE_MS)
  const [isCustomizing, setCustomizing] = useState(false)
  useLayoutEffect(() => {
    // Asked again. While hydrating it always seems to be: what is stored says so for sure.
    if (isPending && currentConsent().consentStatus === 'pending')
      document.documentElement.classList.remove('has-answered')
  }, [isPending])
  return (
    <>
      {isShown && <Banner isPending={isPending} onCustomize={() => setCustomizing(true)} />}
      <PreferencesDialog open={isCustomizing} onOpenChange={setCustomizing} />
    </>
  )
}

/**
 * Beside the page and never over it as a window: nothing is held, and what is under it can be scrolled
 * free. "Accept All" disables its button after a click (Spec §4). "Customize" stays, for the focus
 * comes back to it from its dialog.
 */
function Banner({ isPending, onCustomize }: { isPending: boolean; onCustomize: () => void }) {
  const banner = useRef<HTMLElement>(null)
  useRoomBelow(banner)
  useFocusHandedOn(banner)
  return (
    <section
      ref={banner}
      aria-label={BANNER_TEXTS.label}
      data-nosnippet
      className={cx(
        'no-js:hidden answered:hidden',
        'fixed inset-x-3 bottom-3 z-30 rounded-xl border border-line bg-surface p-4 text-ink shadow-popup md:right-auto md:left-4 md:w-96',
        'transition-[translate,opacity] duration-200 ease-out print:hidden',
        !isPending && 'pointer-events-none translate-y-4 opacity-0',
      )}
    >
      <p className="text-sm leading-5 text-pretty text-ink-soft">{BANNER_TEXTS.text}</p>
      {/* To say no is as easy as to say yes. */}
      <div className="mt-3 grid grid-cols-3 gap-2 [&>button]:px-1">
        <Button
          size="sm"
          variant="secondary"
          disabled={!isPending}
          onClick={() => decide(ACCEPTED)}
        >
          {BANNER_TEXTS.accept}
        </Button>
        <Button
          size="sm"
          variant="secondary"
          disabled={!isPending}
          onClick={() => decide(REJECTED)}
        >
          {BANNER_TEXTS.reject}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          aria-haspopup="dialog"
          {...PreferencesDialog.preload}
          onClick={onCustomize}
        >
          {BANNER_TEXTS.customize}
        </Button>
      </div>
    </section>
  )
}

/** True while `isWanted`, and for `ms` after. */
function useLinger(isWanted: boolean, ms: number) {
  const [isThere, setThere] = useState(isWanted)
  useEffect(() => {
    if (isWanted) setThere(true)
    const timer = isWanted ? undefined : setTimeout(() => setThere(false), ms)
    return () => clearTimeout(timer)
  }, [isWanted, ms])
  return isWanted || isThere
}

/**
 * While the banner stands, the page ends that much later, and what gets the focus is scrolled above it. On
 * a wide page that needed no scrolling nothing is added: a scroll bar that comes would move the text.
 */
function useRoomBelow(banner: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const page = document.documentElement
    const element = banner.current
    if (!element) return
    const make = () => {
      if (element.offsetHeight === 0) return
      const room = `${window.innerHeight - element.offsetTop}px`
      page.style.setProperty('--banner-room', room)
      page.style.scrollPaddingBottom = room
      const scrolls = page.scrollHeight > page.clientHeight || matchMedia(PHONE).matches
      document.body.style.paddingBottom = scrolls ? room : ''
    }
    const watcher = new ResizeObserver(make)
    watcher.observe(element)
    const root = document.getElementById('root')
    if (root) watcher.observe(root)
    make()
    return () => {
      watcher.disconnect()
      page.style.removeProperty('--banner-room')
      page.style.scrollPaddingBottom = ''
      document.body.style.paddingBottom = ''
    }
  }, [banner])
}

/** Whoever answered by keyboard goes on in the page, not at its very beginning. */
function useFocusHandedOn(banner: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = banner.current
    return () => {
      // Who had answered before never had it.
      if (!element || element.offsetHeight === 0) return
      const { activeElement } = document
      if (activeElement === document.body || element.contains(activeElement))
        document.getElementById('main')?.focus({ preventScroll: true })
    }
  }, [banner])
}
