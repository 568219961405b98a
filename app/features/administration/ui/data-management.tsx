/** What comes in, and how this site is set up: flags and build as they stand. */
import type { ReactNode } from 'react'
import { useSite } from '../../../session/site.data.ts'
import { Badge } from '../../../ui/badge.tsx'
import { buttonLook } from '../../../ui/button.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'

export function DataManagement() {
  const { flags, build, siteName, siteUrl } = useSite()
  return (
    <div className="grid gap-9">
      <section aria-labelledby="data-import">
        <h3 id="data-import" className={headingLook}>
          Import
        </h3>
        <p className="mt-1 max-w-prose text-sm leading-6 text-ink-soft">
          Fetch companies from the web or upload a file, look at them, and add them to the site.
        </p>
        <a href="/admin-tools" className={`${buttonLook('secondary')} mt-3`}>
          Open Admin Tools
        </a>
      </section>
      <section aria-labelledby="data-flags">
        <h3 id="data-flags" className={headingLook}>
          Flags
        </h3>
        <p className="mt-1 max-w-prose text-sm leading-6 text-ink-soft">
          Whoever runs the server sets them; they count from the next start.
        </p>
        <Facts>
          {Object.entries(flags).map(([name, isOn]) => (
            <Fact key={name} name={<code className="font-mono text-[0.8125rem]">{name}</code>}>
              <Badge tone={isOn ? 'leaf' : 'quiet'}>{isOn ? 'On' : 'Off'}</Badge>
            </Fact>
          ))}
        </Facts>
      </section>
      <section aria-labelledby="data-build">
        <h3 id="data-build" className={headingLook}>
          This site
        </h3>
        <Facts>
          <Fact name="Name">{siteName}</Fact>
          <Fact name="Address">{siteUrl}</Fact>
          <Fact name="Built">
            <RelativeTime iso={build.buildTime} />
          </Fact>
        </Facts>
      </section>
    </div>
  )
}

const headingLook = 'text-base font-semibold text-ink'

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="mt-3 max-w-xl divide-y divide-line border-y border-line">{children}</dl>
)

const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2 text-sm">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="min-w-0 break-all text-ink">{children}</dd>
  </div>
)
