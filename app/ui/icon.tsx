/** An icon: one element, whose shapes are put together once and not for each of a page's hundred. */

import type { IconNode } from 'lucide'

const markup = new WeakMap<IconNode, string>()

/**
 * Decoration beside a text or a label, so hidden from screen readers. Size it by `className`.
 * Lucide's own React components cost a fifth of rendering a page on the server, and what all icons
 * have in common stands in the styles, not in a hundred places of a page.
 */
export function Icon({ of, className = 'size-6', strokeWidth }: IconProps) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      strokeWidth={strokeWidth}
      className={`icon ${className}`}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: the shapes are Lucide's, nobody's input
      dangerouslySetInnerHTML={{ __html: markupOf(of) }}
    />
  )
}

function markupOf(shapes: IconNode) {
  const known = markup.get(shapes)
  if (known !== undefined) return known
  const made = shapes
    .map(([tag, attributes]) => {
      const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`)
      return `<${tag}${written.join('')}/>`
    })
    .join('')
  markup.set(shapes, made)
  return made
}

interface IconProps {
  of: IconNode
  className?: string
  /** 2 if it is not said. */
  strokeWidth?: number
}
