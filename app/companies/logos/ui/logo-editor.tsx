/** A company's logo, and the way to another one. Decision 19. */
import type { CompanyPageView } from '../../company.contract.ts'
import { CompanyLogo } from './company-logo.tsx'
import { LogoButtons } from './logo-buttons.tsx'

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
