/** A part of the panel under its own address, with the way back to its tab. */
import { ChevronLeft } from 'lucide'
import type { ComponentType } from 'react'
import { useAddress } from '#app/kit/ui/address.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { panelHref, SECTIONS, type Section, TABS } from '../panel-items.ts'

/** Each loads when it is opened: the panel is one page of many parts. */
const CONTENT: Record<Section, ComponentType> = {
  users: section(() => import('./user-management.tsx').then((it) => it.UserManagement)),
  claims: section(() =>
    import('#app/companies/claims/ui/claims-review.tsx').then((it) => it.ClaimsReview),
  ),
  data: section(() => import('./data-management.tsx').then((it) => it.DataManagement)),
  log: section(() => import('./admin-log.tsx').then((it) => it.AdminLog)),
  edits: section(() =>
    import('#app/companies/edits/ui/suggested-edits.tsx').then((it) => it.SuggestedEdits),
  ),
}

function section(load: () => Promise<ComponentType>) {
  return lazyComponent(load, <Skeleton className="h-96 w-full rounded-xl" />)
}

export function PanelSection({ section }: { section: Section }) {
  const { path } = useAddress()
  const { tab, title } = SECTIONS[section]
  const Content = CONTENT[section]
  return (
    <>
      <p className="text-sm">
        <a
          href={panelHref(path, tab)}
          className="-ml-1 inline-flex min-h-8 items-center gap-1 text-ink-soft transition-colors hover:text-ink"
        >
          <Icon of={ChevronLeft} className="size-4" />
          {TABS[tab]}
        </a>
      </p>
      {/* Suggested changes have a heading of their own, which takes the focus. */}
      {section !== 'edits' && (
        <h2 className="mt-1 font-serif text-2xl font-medium tracking-tight text-ink md:text-3xl">
          {title}
        </h2>
      )}
      <div className={section === 'edits' ? 'mt-1' : 'mt-4'}>
        <Content />
      </div>
    </>
  )
}
