import type { ComponentProps } from 'react'
import { useReach } from './site.data.ts'

/** A link that's plain text while its part of the site is switched off. Spec §1. */
export function SiteLink({ href, children, ...props }: ComponentProps<'a'>) {
  const reach = useReach()
  return (
    <a {...props} href={href && reach(href)}>
      {children}
    </a>
  )
}
