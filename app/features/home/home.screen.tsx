/** Where most people arrive: a box to look up a company, and what is going on. Spec §2.5. */
import { useEffect, useState } from 'react'
import { useSession } from '../../session/session.data.ts'
import { useSite } from '../../session/site.data.ts'
import { buttonLook } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import { toast } from '../../ui/toast.ts'
import { Typewriter } from '../../ui/typewriter.tsx'
import { CompanyCarousel } from '../companies/ui/company-carousel.tsx'
import { CompanySearch } from '../company-page/ui/company-search.tsx'
import { RecentJobs } from '../jobs/ui/recent-jobs.tsx'
import { RequestDialog } from '../requests/ui/lazy-request-dialog.ts'
import { HOME_TEXTS, WELCOME_TOAST, welcomeText } from './home.ts'

export default function HomeScreen() {
  const { siteName, siteUrl, flags } = useSite()
  const [isRequestOpen, setRequestOpen] = useState(false)
  const { me } = useSession()
  // Of employers only the list has the box (Spec §1, §6); until it is known, everybody is a visitor.
  const seesSearch = !me || me.can.includes('seeCompanySearch')
  useWelcomeToast()
  return (
    <>
      <title>{`${siteName} – ${HOME_TEXTS.title}`}</title>
      <meta name="description" content={HOME_TEXTS.copy} />
      <link rel="canonical" href={`${siteUrl}/`} />
      <section className="mx-auto flex max-w-3xl flex-col items-center px-5 pt-16 pb-14 text-center md:pt-24 md:pb-20">
        <h1 className="font-serif text-6xl leading-none font-medium tracking-tight md:text-8xl">
          <Typewriter text={siteName} />
        </h1>
        <p className="mt-6 font-serif text-xl text-balance text-ink md:text-2xl">
          {HOME_TEXTS.tagline}
        </p>
        <p className="mt-3 max-w-xl text-[0.9375rem] leading-relaxed text-pretty text-ink-soft md:text-base">
          {HOME_TEXTS.copy}
        </p>
        {flags.enableCompanies && (
          <>
            {seesSearch ? (
              <CompanySearch size="lg" className="mt-9 w-full max-w-2xl" />
            ) : (
              <a href="/companies" className={cx(buttonLook('primary', 'lg'), 'mt-9')}>
                {HOME_TEXTS.browse}
              </a>
            )}
            <button
              type="button"
              {...RequestDialog.preload}
              onClick={() => setRequestOpen(true)}
              className="mt-4 inline-flex min-h-10 items-center rounded-md px-2 text-sm text-ink-soft underline decoration-line-strong underline-offset-4 transition-colors hover:text-ink no-js:hidden"
            >
              {HOME_TEXTS.request}
            </button>
            <RequestDialog open={isRequestOpen} onOpenChange={setRequestOpen} />
          </>
        )}
      </section>
      {flags.enableCompanies && (
        <div className="border-t border-line bg-sunken/50">
          <div className="mx-auto max-w-6xl px-5 py-12 md:py-16">
            <CompanyCarousel />
            <p className="mt-8 text-center text-sm">
              <a
                href="/companies"
                className="inline-flex min-h-10 items-center rounded-md px-2 font-medium text-tea underline decoration-tea/40 underline-offset-4 hover:decoration-tea"
              >
                {HOME_TEXTS.browse}
              </a>
            </p>
          </div>
        </div>
      )}
      {flags.enableJobs && <RecentJobs />}
    </>
  )
}

/** Greets once per visit to the page, 2.5 s after arrival, for 6 s. Spec §9. */
function useWelcomeToast() {
  useEffect(() => {
    const timer = setTimeout(
      () =>
        toast({
          id: 'welcome',
          title: WELCOME_TOAST.title,
          description: welcomeText(Math.random()),
          duration: WELCOME_TOAST.durationMs,
        }),
      WELCOME_TOAST.delayMs,
    )
    return () => clearTimeout(timer)
  }, [])
}
