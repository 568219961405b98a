/** The footer of some pages. Spec §2.2, §2.9, §7.2. */
import { useState } from 'react'
import { RequestDialog } from '#app/companies/requests/ui/lazy-request-dialog.ts'
import { PreferencesDialog } from '#app/kit/consent/ui/consent-banner.tsx'
import { useSession } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { Wordmark } from '#app/kit/ui/icon.tsx'
import { type Lazy, lazyComponent, type OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { ContactDialog } from '#app/office/contact/ui/lazy-contact-dialog.ts'
import { SITE_PAGES } from '../site-pages.ts'

const InboxLink = lazyComponent(() =>
  import('#app/office/contact/ui/inbox-link.tsx').then((it) => it.InboxLink),
)

export function Footer() {
  const { siteName, logo, flags, footerLinks = [] } = useSite()
  const { me } = useSession()
  return (
    <footer className="border-t border-line">
      <div className="mx-auto flex max-w-6xl flex-col gap-8 px-5 py-10 md:flex-row md:justify-between md:py-12">
        <div className="max-w-sm">
          <Wordmark name={siteName} logo={logo} />
          <p className="mt-4 text-sm leading-relaxed text-ink-soft">
            {`${siteName} is where people talk about work anonymously: ${flags.enableCompanies ? 'look up a company, ' : ''}ask people who know it, and share what it’s like.`}
          </p>
        </div>
        <nav aria-labelledby="quick-links">
          <h2 id="quick-links" className="text-sm font-semibold">
            Quick Links
          </h2>
          <ul className="mt-2 flex flex-wrap gap-x-6 text-sm md:flex-col">
            {SITE_PAGES.map(({ href, ...names }) => (
              <li key={href}>
                <a href={href} className={linkClasses}>
                  <Named {...names} />
                </a>
              </li>
            ))}
            {footerLinks.map(({ name, href }) => (
              <li key={name + href}>
                <a href={href} className={linkClasses}>
                  {name}
                </a>
              </li>
            ))}
            <Opening dialog={ContactDialog} name="Contact Us" short="Contact" />
            {flags.enableCompanies && (
              <Opening dialog={RequestDialog} name="Request a Company" short="Request" />
            )}
            <Opening dialog={PreferencesDialog} name="Cookie Preferences" short="Cookies" />
            {me?.can.includes('readContactMessages') && (
              <li>
                <InboxLink className={linkClasses} />
              </li>
            )}
          </ul>
        </nav>
      </div>
      <p className="mx-auto max-w-6xl px-5 pb-8 text-xs text-ink-faint">
        {`© ${new Date().getUTCFullYear()} ${siteName}. All rights reserved.`}
      </p>
    </footer>
  )
}

function Opening({ dialog: Dialog, ...names }: Names & { dialog: Lazy<OpenProps> }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="no-js:hidden">
      <button
        type="button"
        aria-haspopup="dialog"
        {...Dialog.preload}
        onClick={() => setOpen(true)}
        className={linkClasses}
      >
        <Named {...names} />
      </button>
      <Dialog open={isOpen} onOpenChange={setOpen} />
    </li>
  )
}

const Named = ({ name, short }: Names) => (
  <>
    <span className="max-md:hidden">{name}</span>
    <span className="md:hidden">{short}</span>
  </>
)

interface Names {
  name: string
  /** The page's name on mobile. Spec §2.9. */
  short: string
}

const linkClasses =
  'inline-flex min-h-10 items-center text-ink-soft underline-offset-4 transition-colors hover:text-ink hover:underline'
