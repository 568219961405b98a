/** The link: a real `<a href>` on the server, a jump without reload in the browser. */

import {
  type AnchorHTMLAttributes,
  createContext,
  type FocusEvent,
  type PointerEvent,
  type Ref,
  type TouchEvent,
  useContext,
  useEffect,
  useRef,
} from 'react'
import { Link as RouterLink } from 'wouter'

/** A pointer that rests this long on a link probably means it. */
const HOVER_INTENT_MS = 65

/** What a link does when it expects to be followed. The app provides it; alone it does nothing. */
export const LinkPrefetch = createContext<(href: string) => void>(() => {})

/**
 * Follows `href` in place on a plain left click, and prepares the page at the first sign of
 * intent: 65 ms of hover, focus, or touch. Addresses of other sites, `mailto:`, `#fragments` and
 * links with a `target` or `download` are left to the browser.
 */
export function Link(props: LinkProps) {
  const { href, replace, onPointerEnter, onPointerLeave, onFocus, onTouchStart, ...rest } = props
  const prefetch = useContext(LinkPrefetch)
  const hover = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(hover.current), [])

  if (isOutside(href) || rest.target || rest.download !== undefined)
    return <a rel="noopener" {...props} />

  return (
    <RouterLink
      {...rest}
      href={href}
      replace={replace}
      onPointerEnter={(event: PointerEvent<HTMLAnchorElement>) => {
        onPointerEnter?.(event)
        if (event.pointerType === 'mouse')
          hover.current = setTimeout(() => prefetch(href), HOVER_INTENT_MS)
      }}
      onPointerLeave={(event: PointerEvent<HTMLAnchorElement>) => {
        onPointerLeave?.(event)
        clearTimeout(hover.current)
      }}
      onFocus={(event: FocusEvent<HTMLAnchorElement>) => {
        onFocus?.(event)
        prefetch(href)
      }}
      onTouchStart={(event: TouchEvent<HTMLAnchorElement>) => {
        onTouchStart?.(event)
        prefetch(href)
      }}
    />
  )
}

/** Running text's link look: quiet underline, tea ink. */
export const linkLook =
  'text-tea underline decoration-tea/40 underline-offset-4 transition-colors hover:decoration-tea'

/** Anything with a scheme, a host or only a fragment is not a page of ours to route to. */
const isOutside = (href: string) => /^([a-z][a-z\d+.-]*:|\/\/|#)/i.test(href)

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & {
  href: string
  /** Takes the place of the current entry in the browser's history. */
  replace?: boolean
  ref?: Ref<HTMLAnchorElement>
}
