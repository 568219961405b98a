import { ExternalLink } from 'lucide'
import { Icon } from '#app/kit/ui/icon.tsx'

export function WebsiteLink({ website }: { website: string }) {
  return (
    <a
      href={website}
      rel="noopener nofollow"
      className="inline-flex min-h-8 items-center gap-1.5 text-ink-soft underline decoration-line-strong underline-offset-4 hover:text-ink"
    >
      {URL.canParse(website) ? new URL(website).hostname.replace(/^www\./, '') : website}
      <Icon of={ExternalLink} className="size-3.5" />
    </a>
  )
}
