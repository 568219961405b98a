/** How often a company's page was seen: only administrators are told. Spec §2.6. */
import { Eye } from 'lucide'
import { Icon } from '../../../ui/icon.tsx'
import { abbreviate, plural } from '../../../ui/number.ts'

export function ViewCount({ views }: { views: number }) {
  return (
    <span className="inline-flex items-center gap-1.5 tabular-nums">
      <Icon of={Eye} className="size-4 text-ink-faint" />
      <span aria-hidden="true">{abbreviate(views)}</span>
      <span className="sr-only">{plural(views, 'view')}</span>
    </span>
  )
}
