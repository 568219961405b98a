/** An icon: one element, whose shapes are put together once and not for each of a page's hundred. */

import { ArrowBigDown, ArrowBigUp, type IconNode } from 'lucide'

const markup = new WeakMap<IconNode, string>()

/**
 * Decoration beside a text or a label, so hidden from screen readers. Size it by `className`; it is 24 px else.
 * Lucide's own React components cost a fifth of rendering a page on the server, and what all icons
 * have in common stands in the styles, not in a hundred places of a page.
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
  const made = writtenOut(shapes)
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

/** Those that a page shows by the dozen: it holds their shapes once, at its beginning. */
const SHARED = { 'icon-up': ArrowBigUp, 'icon-down': ArrowBigDown }
for (const [id, shapes] of Object.entries(SHARED)) markup.set(shapes, `<use href="#${id}"/>`)
const shared: ReadonlySet<IconNode> = new Set(Object.values(SHARED))

/** Stands once in every page, before all that shows one of them. */
export const SharedIcons = () => (
  <svg
    aria-hidden="true"
    className="hidden"
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the shapes are Lucide's, nobody's input
    dangerouslySetInnerHTML={{ __html: SHARED_SHAPES }}
  />
)

const SHARED_SHAPES = Object.entries(SHARED)
  .map(([id, shapes]) => `<symbol id="${id}" viewBox="0 0 24 24">${writtenOut(shapes)}</symbol>`)
  .join('')

interface IconProps {
  of: IconNode
  className?: string
  /** 2 if it is not said. */
  strokeWidth?: number
}
