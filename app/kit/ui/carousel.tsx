import { ChevronLeft, ChevronRight, Pause, Play } from 'lucide'
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { headStart } from './address.ts'
import { IconButton } from './button.tsx'
import { cx } from './cx.ts'
import { Icon } from './icon.tsx'
import { usePageHidden } from './use-screen.ts'

/** How far people must swipe to change the slide. */
const SWIPE_PX = 48

/** 0, 1, 2, 0. Spec §4. */
export function turn(index: number, step: number, count: number): number {
  return (index + step + count) % count
}

/**
 * Slides that take turns. Spec §2.5, §4, §9. Turns every `intervalMs`, and pauses while it's hovered, has the focus
 * or its tab is hidden. With reduced motion, it never starts by itself. Its button stops and starts it (WCAG
 * 2.2.2). If people start it by hand, it ignores the focus. Without JavaScript, all slides are below each other.
 */
export function Carousel({ label, slides, intervalMs, className }: CarouselProps) {
  const id = useId()
  const [wantedIndex, setIndex] = useState(0)
  const [choice, setChoice] = useState<'play' | 'pause'>()
  const [isHovered, setHovered] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isAway = usePageHidden()
  const isStill = useReducedMotion()
  const dots = useRef<HTMLUListElement>(null)
  const touch = useRef<{ x: number; y: number }>(undefined)

  const count = slides.length
  const index = Math.min(wantedIndex, Math.max(count - 1, 0))
  const isOn = choice ? choice === 'play' : !isStill
  const isTurning = isOn && count > 1 && !isHovered && !isAway && (!isFocused || choice === 'play')

  // The first slide was visible before scripts came.
  const stood = useRef<number>(undefined)
  useEffect(() => {
    stood.current ??= headStart()
    if (!isTurning) return
    const timer = setTimeout(() => setIndex(turn(index, 1, count)), intervalMs - stood.current)
    stood.current = 0
    return () => clearTimeout(timer)
  }, [isTurning, index, count, intervalMs])

  function pressDotKey(event: KeyboardEvent) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const next = turn(index, step, count)
    setIndex(next)
    dots.current?.querySelectorAll('button')[next]?.focus()
  }
  function startSwipe(event: PointerEvent) {
    touch.current =
      event.pointerType === 'mouse' ? undefined : { x: event.clientX, y: event.clientY }
  }
  function endSwipe(event: PointerEvent) {
    if (!touch.current) return
    const dx = event.clientX - touch.current.x
    const dy = event.clientY - touch.current.y
    touch.current = undefined
    if (Math.abs(dx) < SWIPE_PX || Math.abs(dx) < Math.abs(dy) * 1.5) return
    setIndex(turn(index, dx < 0 ? 1 : -1, count))
  }

  return (
    <section
      aria-roledescription="carousel"
      aria-label={label}
      className={className}
      onFocus={() => setFocused(true)}
      onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
    >
      <div
        aria-live={isTurning ? 'off' : 'polite'}
        className="grid touch-pan-y gap-12 js:gap-0"
        onPointerEnter={(event) => setHovered(event.pointerType === 'mouse')}
        onPointerLeave={() => setHovered(false)}
        onPointerDown={startSwipe}
        onPointerUp={endSwipe}
        onPointerCancel={() => {
          touch.current = undefined
        }}
      >
        {slides.map((slide, at) => (
          // biome-ignore lint/a11y/useSemanticElements: the APG's role for a slide; no fields in it
          <div
            key={slide.key}
            role="group"
            aria-roledescription="slide"
            aria-labelledby={`${id}-${at}`}
            className={cx(
              'min-w-0 transition-[opacity,visibility] duration-300 js:[grid-area:1/1]',
              at !== index && 'js:invisible js:opacity-0',
            )}
          >
            <h2
              id={`${id}-${at}`}
              className="mb-6 font-serif text-2xl font-medium tracking-tight text-balance md:text-3xl"
            >
              {slide.title}
            </h2>
            {slide.content}
          </div>
        ))}
      </div>
      {count > 1 && (
        <div className="mt-6 hidden items-center justify-center gap-1 js:flex">
          <IconButton label="Previous slide" onClick={() => setIndex(turn(index, -1, count))}>
            <Icon of={ChevronLeft} />
          </IconButton>
          <ul ref={dots} aria-label="Slides" className="flex">
            {slides.map((slide, at) => (
              <li key={slide.key}>
                <button
                  type="button"
                  aria-label={slide.title}
                  aria-current={at === index}
                  onClick={() => setIndex(at)}
                  onKeyDown={pressDotKey}
                  className="group grid size-10 place-items-center rounded-md md:w-8"
                >
                  <span
                    className={cx(
                      'h-2 rounded-full transition-[width,background-color] duration-300',
                      at === index ? 'w-5 bg-tea' : 'w-2 bg-line-strong group-hover:bg-ink-soft',
                    )}
                  />
                </button>
              </li>
            ))}
          </ul>
          <IconButton label="Next slide" onClick={() => setIndex(turn(index, 1, count))}>
            <Icon of={ChevronRight} />
          </IconButton>
          <IconButton
            label={isOn ? 'Pause rotation' : 'Start rotation'}
            onClick={() => setChoice(isOn ? 'pause' : 'play')}
          >
            {isOn ? <Icon of={Pause} /> : <Icon of={Play} />}
          </IconButton>
        </div>
      )}
    </section>
  )
}

/** True until we know, so nothing moves too early. */
function useReducedMotion() {
  const [isReduced, setReduced] = useState(true)
  useEffect(() => {
    const query = matchMedia('(prefers-reduced-motion: reduce)')
    const look = () => setReduced(query.matches)
    look()
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [])
  return isReduced
}

type Slide = { key: string; title: string; content: ReactNode }
type CarouselProps = {
  label: string
  slides: readonly Slide[]
  intervalMs: number
  className?: string
}
