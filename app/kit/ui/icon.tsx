import { ArrowBigDown, ArrowBigUp, type IconNode } from 'lucide'
import { cx } from './cx.ts'
import { trustedHtml } from './trusted.ts'

const markup = new WeakMap<IconNode, ReturnType<typeof trustedHtml>>()

/**
 * Hidden from screen readers, because there's a text or label next to it. 24 px unless `className` says otherwise.
 * We don't use Lucide's own components, because they took a fifth of a page's rendering time on the server.
 */
export function Icon({ of, className, strokeWidth }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox={shared.has(of) ? undefined : '0 0 24 24'}
      strokeWidth={strokeWidth}
      className={className ? `icon ${className}` : 'icon'}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the shapes are Lucide's, nobody's input
      dangerouslySetInnerHTML={{ __html: markupOf(of) }}
    />
  )
}

function markupOf(shapes: IconNode) {
  const known = markup.get(shapes)
  if (known !== undefined) return known
  const made = trustedHtml(writtenOut(shapes))
  markup.set(shapes, made)
  return made
}

const writtenOut = (shapes: IconNode) =>
  shapes
    .map(([tag, attributes]) => {
      const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`)
      return `<${tag}${written.join('')}/>`
    })
    .join('')

/** Icons that a page shows by the dozen. The page contains their shapes only once. */
const SHARED = { 'icon-up': ArrowBigUp, 'icon-down': ArrowBigDown }
for (const [id, shapes] of Object.entries(SHARED))
  markup.set(shapes, trustedHtml(`<use href="#${id}"/>`))
const shared: ReadonlySet<IconNode> = new Set(Object.values(SHARED))

/** Appears once in every page, before anything that uses these icons. */
export const SharedIcons = () => (
  <svg
    aria-hidden="true"
    className="hidden"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the shapes are Lucide's, nobody's input
    dangerouslySetInnerHTML={{ __html: SHARED_SHAPES }}
  />
)

const SHARED_SHAPES = trustedHtml(
  Object.entries(SHARED)
    .map(([id, shapes]) => `<symbol id="${id}" viewBox="0 0 24 24">${writtenOut(shapes)}</symbol>`)
    .join(''),
)

interface IconProps {
  of: IconNode
  className?: string
  strokeWidth?: number
}

/** A kettle in the text's color, with tea-colored steam. Set its size with `className`. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 48 48" fill="none" aria-hidden="true" className={className ?? 'size-8'}>
      <path
        d="M12.5 22.5C11.5 12.5 15 7 21 7s9.5 5.5 8.5 15.5"
        stroke="currentColor"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <path
        d="M32 35.5c5.5-.5 4.5-8 9-10.5"
        stroke="currentColor"
        strokeWidth="4.2"
        strokeLinecap="round"
      />
      <path
        fill="currentColor"
        d="M21 15a2 2 0 0 1 1.3 3.5c3.4.5 6.3 2.3 7.9 5 2.7 3 4.3 7.2 4.3 11.7 0 3.9-2 6.3-5.6 6.3H13.1c-3.6 0-5.6-2.4-5.6-6.3 0-4.5 1.6-8.7 4.3-11.7 1.6-2.7 4.5-4.5 7.9-5A2 2 0 0 1 21 15z"
      />
      <path
        className="stroke-star"
        d="M41 19.5c-3.2-3 2.6-4.9.2-8.3-1.5-2.2-.2-4.7 2.3-4.7"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** The site's own logo. Its size is known before it loads. Set its height with `className`. */
export function OwnLogo({
  logo,
  alt,
  className,
}: {
  logo: LogoPicture
  alt: string
  className: string
}) {
  const { path, width, height, tone } = logo
  return (
    <img
      src={path}
      alt={alt}
      width={width}
      height={height}
      className={cx('w-auto object-contain', tone && `logo-${tone}`, className)}
    />
  )
}

/** The logo next to the site's name, unless the name is in it. */
export function Wordmark({ name, logo, className }: WordmarkProps) {
  return (
    <span className={cx('inline-flex min-w-0 items-center gap-2 text-ink', className)}>
      {logo ? (
        <OwnLogo logo={logo} alt={logo.hasName ? name : ''} className="h-8 max-w-36 shrink-0" />
      ) : (
        <LogoMark className="size-8 shrink-0" />
      )}
      {!logo?.hasName && (
        <span className="overflow-hidden font-serif text-[1.375rem] leading-tight font-medium tracking-tight text-ellipsis">
          {name}
        </span>
      )}
    </span>
  )
}

interface LogoPicture {
  path: string
  width: number
  height: number
  /** The name is in it. */
  hasName: boolean
  /** As dark or light as a theme's page. */
  tone?: 'dark' | 'light' | undefined
}

interface WordmarkProps {
  name: string
  /** Undefined for ours. */
  logo?: LogoPicture | undefined
  className?: string
}
