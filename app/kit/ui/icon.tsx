import { ArrowBigDown, ArrowBigUp, type IconNode } from 'lucide'

const markup = new WeakMap<IconNode, string>()

/**
 * Hidden from screen readers, as it stands beside a text or label. 24 px unless `className` says otherwise. Lucide's
 * own components take a fifth of a page's rendering on the server.
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

/** Icons that a page shows by the dozen. Their shapes stand in it once. */
const SHARED = { 'icon-up': ArrowBigUp, 'icon-down': ArrowBigDown }
for (const [id, shapes] of Object.entries(SHARED)) markup.set(shapes, `<use href="#${id}"/>`)
const shared: ReadonlySet<IconNode> = new Set(Object.values(SHARED))

/** Once in every page, before anything that uses them. */
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
  strokeWidth?: number
}
