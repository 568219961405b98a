/** A company's logo, and the way to another one. Decision 19. */
import { pagePart } from '../../../ui/page-part.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import type { CompanyPageView } from '../company.contract.ts'
import { CompanyLogo } from './company-logo.tsx'

const LogoButtons = pagePart(
  () => import('./logo-buttons.tsx').then((it) => it.LogoButtons),
  <Skeleton className="h-36 flex-1 md:h-18 rounded-lg" />,
)

interface LogoEditorProps {
  company: CompanyPageView
  isEditor: boolean
}

export function LogoEditor({ company, isEditor }: LogoEditorProps) {
  return (
    <section aria-labelledby="logo" className="rounded-xl border border-line bg-surface p-4 md:p-5">
      <h2 id="logo" className="text-sm font-semibold">
        Logo
      </h2>
      <div className="mt-3 flex items-start gap-4">
        <CompanyLogo
          key={company.logoUrl}
          name={company.name}
          logoUrl={company.logoUrl}
          className="size-16"
        />
        {isEditor ? (
          <LogoButtons company={company} />
        ) : (
          <p className="text-sm leading-6 text-ink-soft">
            For now only administrators change logos.
          </p>
        )}
      </div>
    </section>
  )
}
