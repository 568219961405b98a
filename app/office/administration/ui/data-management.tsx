import type { ReactNode } from 'react'
import { useSite } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { RelativeTime } from '#app/kit/ui/relative-time.tsx'

export function DataManagement() {
  const { flags, build, siteName, siteUrl } = useSite()
  return (
    <div className="grid grid-cols-1 gap-9">
      <section aria-labelledby="data-import">
        <h3 id="data-import" className={headingClasses}>
          Import
        </h3>
        <p className="mt-1 max-w-prose text-sm leading-6 text-ink-soft">
          Fetch companies from the web or upload a file, review them, and add them to the site.
        </p>
        <a href="/admin-tools" className={`${buttonClasses('secondary')} mt-3`}>
          Open Admin Tools
        </a>
      </section>
      {HOW_TOS.map(({ id, title, text, command }) => (
        <section key={id} id={id} aria-labelledby={`${id}-title`} className="scroll-mt-24">
          <h3 id={`${id}-title`} className={headingClasses}>
            {title}
          </h3>
          <p className="mt-1 max-w-prose text-sm leading-6 text-ink-soft">{text}</p>
          <pre className="mt-3 max-w-xl rounded-lg bg-sunken px-4 py-3 font-mono text-[0.8125rem] leading-6 whitespace-pre-wrap break-all text-ink">
            {command}
          </pre>
        </section>
      ))}
      <section aria-labelledby="data-flags">
        <h3 id="data-flags" className={headingClasses}>
          Flags
        </h3>
        <p className="mt-1 max-w-prose text-sm leading-6 text-ink-soft">
          The operator sets these on the server. Changes apply after a restart.
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
        <h3 id="data-build" className={headingClasses}>
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

/** See docs/operations.md. */
const HOW_TOS = [
  {
    id: 'set-address',
    title: 'Address',
    text: 'Set this on the server, in the environment or the .env file. It applies after a restart. Links in emails point here.',
    command: 'SITE_URL=https://kettle.example',
  },
  {
    id: 'set-mail',
    title: 'Mail',
    text: 'Also set on the server. Run npm run doctor to check that the mail server accepts our email.',
    command: 'SMTP_URL=smtps://USER:PASSWORD@mail.example:465',
  },
  {
    id: 'set-backup',
    title: 'Backup',
    text: 'A backup is a single file, made while the site runs. Make one every night, and keep it on another machine or in a bucket, away from the secret key.',
    command: 'npm run backup -- --keep 14',
  },
]

const headingClasses = 'text-base font-semibold text-ink'

const Facts = ({ children }: { children: ReactNode }) => (
  <dl className="mt-3 max-w-xl divide-y divide-line border-y border-line">{children}</dl>
)

const Fact = ({ name, children }: { name: ReactNode; children: ReactNode }) => (
  <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-6 gap-y-1 py-2 text-sm">
    <dt className="text-ink-soft">{name}</dt>
    <dd className="min-w-0 break-all text-ink">{children}</dd>
  </div>
)
