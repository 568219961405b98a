/** A part of the panel under its own address, with the way back to its tab. */
import { ChevronLeft } from 'lucide'
import { useAddress } from '../../../ui/address.ts'
import { Icon } from '../../../ui/icon.tsx'
import { ClaimsReview } from '../../claims/ui/claims-review.tsx'
import { SuggestedEdits } from '../../companies/ui/suggested-edits.tsx'
import { placeHref, SECTIONS, type Section, TABS } from '../panel-places.ts'
import { AdminLog } from './admin-log.tsx'
import { DataManagement } from './data-management.tsx'
import { UserManagement } from './user-management.tsx'

const CONTENT = {
  users: UserManagement,
  claims: ClaimsReview,
  data: DataManagement,
  log: AdminLog,
  edits: () => <SuggestedEdits />,
} satisfies Record<Section, unknown>

export function PanelSection({ section }: { section: Section }) {
  const { path } = useAddress()
  const { tab, title } = SECTIONS[section]
  const Content = CONTENT[section]
  return (
    <>
      <p className="text-sm">
        <a
          href={placeHref(path, tab)}
          className="-ml-1 inline-flex min-h-8 items-center gap-1 text-ink-soft transition-colors hover:text-ink"
        >
          <Icon of={ChevronLeft} className="size-4" />
          {TABS[tab]}
        </a>
      </p>
      {section !== 'edits' && (
        <h2 className="mt-1 font-serif text-2xl font-medium tracking-tight text-ink md:text-3xl">
          {title}
        </h2>
      )}
      <div className="mt-4">
        <Content />
      </div>
    </>
  )
}
