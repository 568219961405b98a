/** A company's logo, or its initials. Contacts no other server. */
import { Building2 } from 'lucide'
import { useState } from 'react'
import { Icon } from '#app/kit/ui/icon.tsx'
import { firstLetter } from '#app/kit/writing/text.ts'

/** Backgrounds for white letters, with a contrast of at least 4.5:1 in both themes. */
const GROUNDS = [
  '#8a4b1f',
  '#7a5a16',
  '#5f6420',
  '#3f6b34',
  '#256b58',
  '#236a78',
  '#2f5f8f',
  '#46559b',
  '#65499a',
  '#843f86',
  '#973a66',
  '#9a3b3f',
] as const

interface CompanyLogoProps {
  name: string
  logoUrl: string | null
  /** Sets the size, such as `size-11`. */
  className?: string
}

/** Decorative, because it's next to the name. A broken logo becomes the generic icon (Spec §2.6). */
export function CompanyLogo({ name, logoUrl, className = 'size-11' }: CompanyLogoProps) {
  const look = `shrink-0 overflow-hidden rounded-[22%] ${className}`
  return logoUrl ? (
    <LogoPicture key={logoUrl} url={logoUrl} look={look} />
  ) : (
    <svg viewBox="0 0 40 40" aria-hidden="true" className={`initials ${look}`}>
      <rect fill={groundOf(name)} />
      <text x="20" y="20.5">
        {initialsOf(name)}
      </text>
    </svg>
  )
}

function LogoPicture({ url, look }: { url: string; look: string }) {
  const [isBroken, setBroken] = useState(false)
  if (isBroken)
    return (
      <span className={`${look} grid place-items-center border border-line bg-sunken`}>
        <Icon of={Building2} className="size-1/2 text-ink-faint" />
      </span>
    )
  return (
    <img
      src={url}
      alt=""
      loading="lazy"
      decoding="async"
      className={`${look} border border-line bg-white object-contain`}
      onError={() => setBroken(true)}
      // An error before hydration fires no event.
      ref={(image) => {
        if (image?.complete && image.naturalWidth === 0) setBroken(true)
      }}
    />
  )
}

/** Initials of the first two words: "Brine & Lantern Ferries" is BL. */
function initialsOf(name: string) {
  const words = name.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  const letters =
    words.length > 1 ? words.slice(0, 2).map(firstLetter) : [firstLetter(words[0] ?? '')]
  return letters.join('').toUpperCase() || '?'
}

/** Always the same for a name. */
function groundOf(name: string) {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  return GROUNDS[hash % GROUNDS.length]
}
