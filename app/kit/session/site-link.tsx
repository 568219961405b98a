import type { ComponentProps } from 'react'
import { useReach } from './site.data.ts'

/** A link within the site that may lead to a part that is switched off: then it is its text alone. Spec §1. */
export function SiteLink({ href, children, ...props }: ComponentProps<'a'>) {
  const reach = useReach()
  return (
    <a {...props} href={href && reach(href)}>
      {children}
    </a>
  )
}
