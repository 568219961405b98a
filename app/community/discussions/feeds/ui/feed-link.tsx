/** Where a program follows a list, for its reader and for the page's head. */
import { Rss } from 'lucide'
import { Icon } from '#app/kit/ui/icon.tsx'

/** @param of the list's name, which the feed bears */
export function FeedLink({ of, href }: { of: string; href: string }) {
  return (
    <>
      <link rel="alternate" type="application/atom+xml" title={of} href={href} />
      {/* A file: the browser opens it, with `target`, and not the site's own way of following. */}
      <a
        href={href}
        target="_self"
        className="inline-flex min-h-10 items-center gap-1.5 text-sm text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink md:min-h-8"
      >
        <Icon of={Rss} className="size-3.5" />
        Atom feed
        <span className="sr-only">{`: ${of}`}</span>
      </a>
    </>
  )
}
