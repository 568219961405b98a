/**
 * Asks about cookies once, in a corner of every page. The styles hide it if first-script.js found an answer
 * (`answered:`), or if there's no JavaScript to take one.
 */
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { lazyDialog } from '../../ui/lazy-component.tsx'
import { currentConsent, decide, useConsent } from '../consent.data.ts'
import { ACCEPTED, BANNER_TEXTS, REJECTED } from '../consent.ts'

const FADE_MS = 300
/** Below app.css's `md`, where the banner is as wide as the page. */
const PHONE = '(width < 768px)'

/** Shown while consent is pending. Spec §2.2, §4. */
export function ConsentBanner() {
  const isPending = useConsent().consentStatus === 'pending'
  const isShown = useLinger(isPending, FADE_MS)
  const [isCustomizing, setCustomizing] = useState(false)
  useLayoutEffect(() => {
    // While hydrating, it's always pending, so check what's stored.
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
 * The banner blocks nothing. "Accept All" is disabled after a click (Spec §4). "Customize" gets the focus back from
 * its dialog.
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
      {/* Saying no is as easy as saying yes. */}
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
 * While the banner is open, adds room at the page's end, and scrolls whatever gets the focus above the banner. A
 * wide page that doesn't scroll gets no room, because a scroll bar would move the text.
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

/** People who answer by keyboard continue within the page, not at its beginning. */
function useFocusHandedOn(banner: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const element = banner.current
    return () => {
      if (!element || element.offsetHeight === 0) return
      const { activeElement } = document
      if (activeElement === document.body || element.contains(activeElement))
        document.getElementById('main')?.focus({ preventScroll: true })
    }
  }, [banner])
}

/** The Cookie Preferences dialog, whose code loads when it first opens. */
export const PreferencesDialog = lazyDialog(() =>
  import('./preferences-dialog.tsx').then((it) => it.PreferencesDialog),
)
