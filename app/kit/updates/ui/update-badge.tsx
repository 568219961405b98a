/** The corner badge shows how fresh the site is, and what's wrong with its certificate. Spec §2.19. */
import { RefreshCw, TriangleAlert, X } from 'lucide'
import {
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react'
import { useSite } from '../../session/site.tsx'
import { Button, buttonClasses, IconButton } from '../../ui/button.tsx'
import { buttonsAround, isOver, watchLayout } from '../../ui/clear-of-buttons.ts'
import { cx } from '../../ui/cx.ts'
import { Icon } from '../../ui/icon.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { CERTIFICATE_TEXTS, fallbackLabel, UPDATE_TEXTS } from '../update.ts'
import type { Updates } from '../updates.data.ts'

/** A placeholder in every page from the first paint, until the real badge replaces it. */
export function FirstBadge() {
  const { buildTime } = useSite().build
  return (
    <Corner isCalm>
      <Published iso={buildTime} />
    </Corner>
  )
}

/**
 * Below everything else at the lower edge. On phones, it's at the page's end, because it would cover text
 * anywhere else. Only news and warnings float there, above the cookie banner.
 */
export function UpdateBadge({ updates, fallbackUrl }: UpdateBadgeProps) {
  const state = useSyncExternalStore(updates.watch, updates.current)
  const [hidden, hide] = useState<number>()
  const isTold = state.isNew && hidden !== state.published.timestamp
  const hasIssue = state.certificate === 'certificate-issue'
  const isCalm = !hasIssue && !isTold
  // With a bad certificate, every check fails, and that's when people need the badge most.
  if (state.isHidden && !hasIssue) return null
  return (
    <Corner isCalm={isCalm}>
      {/* Always in the page, so screen readers announce changes. */}
      <div role="status" className="contents">
        {hasIssue ? (
          <CertificateIssue onRetry={updates.retry} fallbackUrl={fallbackUrl} />
        ) : (
          isTold && (
            <News reloader={state.reloader} onHide={() => hide(state.published.timestamp)} />
          )
        )}
      </div>
      {isCalm && <Published iso={state.published.buildTime} />}
    </Corner>
  )
}

const Corner = ({ isCalm, children }: { isCalm: boolean; children: ReactNode }) => (
  <section
    aria-label={UPDATE_TEXTS.label}
    className={cx(
      'pointer-events-none fixed right-3 bottom-[calc(var(--banner-room,0px)+0.75rem)] left-3 z-10 flex justify-end text-xs text-ink-soft md:right-4 md:bottom-4 md:left-4 no-js:hidden print:hidden',
      isCalm
        ? 'max-md:static max-md:justify-center max-md:p-4'
        : // A phone has room for one notice at a time.
          'max-md:[:root:has(#toasts_li:not(.hidden))_&:not(:focus-within)]:hidden',
    )}
  >
    {children}
  </section>
)

function Published({ iso }: { iso: string }) {
  const badge = useRef<HTMLDivElement>(null)
  useClearPlace(badge)
  return (
    <div
      ref={badge}
      // If someone's keyboard focus is in it, the focus stays there.
      className="pointer-events-auto flex items-center rounded-full border border-line bg-surface/90 text-ink-faint shadow-card data-[side=left]:mr-auto data-[side=none]:invisible data-[side=none]:focus-within:visible"
    >
      <p className="py-1 pl-3.5 whitespace-nowrap">
        {UPDATE_TEXTS.published} <RelativeTime iso={iso} />
      </p>
      <button
        type="button"
        aria-label={UPDATE_TEXTS.refresh}
        data-tooltip={UPDATE_TEXTS.refresh}
        onClick={() => location.reload()}
        className="inline-flex size-10 shrink-0 items-center justify-center rounded-full transition-colors hover:text-ink md:size-8"
      >
        <Icon of={RefreshCw} className="size-3.5" />
      </button>
    </div>
  )
}

/** How far up, and in what steps, the badge moves to find room. */
const LIFTS = [0, 48, 96]

/** Keeps the badge off buttons by moving it right, left or higher. Hides it if there's a button everywhere. */
function useClearPlace(badge: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const place = () => {
      const element = badge.current
      const section = element?.parentElement
      if (!element || !section) return
      if (getComputedStyle(section).position === 'static') {
        delete element.dataset.side
        element.style.translate = ''
        return
      }
      const room = section.getBoundingClientRect()
      const { offsetWidth: width, offsetHeight: height } = element
      const buttons = buttonsAround(element)
      const isClear = (left: number, lift: number) => {
        const bottom = room.bottom - lift
        const box = { left, right: left + width, bottom, top: bottom - height }
        return !buttons.some((button) => isOver(box, button))
      }
      const found = LIFTS.flatMap((lift) => [
        { side: 'right', lift, isFree: isClear(room.right - width, lift) },
        { side: 'left', lift, isFree: isClear(room.left, lift) },
      ]).find(({ isFree }) => isFree)
      element.dataset.side = found?.side ?? 'none'
      element.style.translate = found?.lift ? `0 -${found.lift}px` : ''
    }
    place()
    return watchLayout(place)
  }, [badge])
}

/** Low, because someone may be writing above it. People can hide it. */
function News({ reloader, onHide }: NewsProps) {
  // The auto-reloader's toast already says this.
  if (reloader === 'reloading') return null
  return (
    <div className={cx(noteClasses, 'flex items-center gap-2 py-2 pr-2 pl-4')}>
      <div className="min-w-0 flex-1">
        <p className="text-sm font-semibold text-ink">{UPDATE_TEXTS.news}</p>
        <p className="leading-4 text-pretty">
          {reloader === 'waiting' ? UPDATE_TEXTS.waiting : UPDATE_TEXTS.badge}
        </p>
      </div>
      <Button size="sm" onClick={() => location.reload()}>
        {UPDATE_TEXTS.refresh}
      </Button>
      <IconButton
        label={UPDATE_TEXTS.hide}
        hasTooltip={false}
        onClick={onHide}
        className="-ml-1 text-ink-faint"
      >
        <Icon of={X} className="size-4" />
      </IconButton>
    </div>
  )
}

function CertificateIssue({ onRetry, fallbackUrl }: CertificateIssueProps) {
  const [isBusy, setBusy] = useState(false)
  const retry = async () => {
    setBusy(true)
    await onRetry()
    setBusy(false)
  }
  return (
    <div className={cx(noteClasses, 'p-4 text-sm')}>
      <div className="flex gap-2.5">
        <Icon of={TriangleAlert} className="mt-0.5 size-4 shrink-0 text-danger" />
        <div className="min-w-0">
          <p className="font-semibold text-ink">{CERTIFICATE_TEXTS.badge}</p>
          <p className="mt-0.5 leading-5 text-pretty">{CERTIFICATE_TEXTS.text}</p>
        </div>
      </div>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        {fallbackUrl && (
          <a
            href={fallbackUrl + location.pathname + location.search}
            className={cx(buttonClasses('secondary', 'sm'), 'max-w-full')}
          >
            <span className="truncate">{fallbackLabel(fallbackUrl)}</span>
          </a>
        )}
        <Button size="sm" busy={isBusy} busyLabel={CERTIFICATE_TEXTS.busy} onClick={retry}>
          {CERTIFICATE_TEXTS.retry}
        </Button>
      </div>
    </div>
  )
}

const noteClasses =
  'pointer-events-auto w-96 max-w-full rounded-xl border border-line bg-surface shadow-popup transition-[translate,opacity] duration-200 ease-out starting:translate-y-2 starting:opacity-0'

interface UpdateBadgeProps {
  updates: Updates
  fallbackUrl?: string
}
interface NewsProps {
  reloader: 'idle' | 'waiting' | 'reloading'
  onHide: () => void
}
interface CertificateIssueProps {
  onRetry: () => Promise<void>
  fallbackUrl?: string
}
