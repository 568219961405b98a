import { Rss } from 'lucide'
import { Icon } from '#app/kit/ui/icon.tsx'

/** @param of the list's name, which is the feed's too */
export function FeedLink({ of, href }: { of: string; href: string }) {
  return (
    <>
      <link rel="alternate" type="application/atom+xml" title={of} href={href} />
      {/* With `target`, the browser opens the file instead of our own navigation. */}
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
