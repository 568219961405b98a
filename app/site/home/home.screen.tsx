/** Spec §2.5. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { DiscussionContract } from '#app/community/discussions/discussion.contract.ts'
import { discussedQuery } from '#app/community/discussions/discussion.data.ts'
import { ThreadTiles } from '#app/community/discussions/threads/ui/thread-tiles.tsx'
import { RequestDialog } from '#app/companies/requests/ui/lazy-request-dialog.ts'
import { CompanyCarousel } from '#app/companies/ui/company-carousel.tsx'
import { RecentJobs } from '#app/jobs/ui/recent-jobs.tsx'
import { maySee, useSession } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { headStart } from '#app/kit/ui/address.ts'
import { buttonClasses } from '#app/kit/ui/button.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { Typewriter } from '#app/kit/ui/typewriter.tsx'
import { CompanySearch } from '../company-page/ui/company-search.tsx'
import { HOME_TEXTS, homeCopy, WELCOME_TOAST, welcomeText } from './home.ts'
import { HomeSection } from './ui/home-section.tsx'

const FollowedDiscussions = lazyComponent(() =>
  import('./ui/followed-discussions.tsx').then((it) => it.FollowedDiscussions),
)

export default function HomeScreen() {
  const { siteName, siteUrl, flags, heroSentence, greeting, ...site } = useSite()
  const welcome = site.welcomeText ?? homeCopy(flags)
  const [isRequestOpen, setRequestOpen] = useState(false)
  const { me, status } = useSession()
  // Employers only get the list's search box (Spec §1, §6). Until we know the role, both are here, and CSS shows one.
  const seesSearch = maySee('seeCompanySearch', me)
  useWelcomeToast(greeting ?? WELCOME_TOAST.text, flags.enableDiscussions)
  return (
    <>
      <title>{`${siteName} – ${HOME_TEXTS.title}`}</title>
      <meta name="description" content={welcome} />
      <link rel="canonical" href={`${siteUrl}/`} />
      <section className="mx-auto flex max-w-3xl flex-col items-center px-5 pt-12 pb-12 text-center md:pt-14 md:pb-12">
        <h1 className="font-serif text-6xl leading-none font-medium tracking-tight md:text-8xl">
          <Typewriter text={siteName} />
        </h1>
        <p className="mt-6 font-serif text-xl text-balance text-ink md:text-2xl">
          {heroSentence ?? HOME_TEXTS.tagline}
        </p>
        <p className="mt-3 max-w-xl text-[0.9375rem] leading-relaxed text-pretty text-ink-soft md:text-base">
          {welcome}
        </p>
        {flags.enableCompanies && (
          <>
            {seesSearch && (
              <CompanySearch size="lg" className="mt-9 w-full max-w-2xl employer:hidden" />
            )}
            {!(me && seesSearch) && (
              <p className={seesSearch ? 'mt-9 hidden employer:block' : 'mt-9'}>
                <a href="/companies" className={buttonClasses('primary', 'lg')}>
                  {HOME_TEXTS.browse}
                </a>
              </p>
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
          <div className="mx-auto max-w-6xl px-5 py-12 md:pt-10 md:pb-16">
            <CompanyCarousel />
            <AllLink href="/companies" text={HOME_TEXTS.browse} />
          </div>
        </div>
      )}
      {flags.enableDiscussions && <Discussed />}
      {flags.enableJobs && <RecentJobs />}
      {flags.enableDiscussions && flags.enableAlerts && status === 'signed-in' && (
        <FollowedDiscussions />
      )}
    </>
  )
}

/** Current discussions. Hidden if there are none. */
function Discussed() {
  const threads = useQuery(discussedQuery(useApi<DiscussionContract>())).data ?? []
  if (threads.length === 0) return null
  return (
    <HomeSection
      id="discussed"
      title={HOME_TEXTS.discussed}
      className="border-t border-line pt-12 md:pt-16"
    >
      <ThreadTiles threads={threads} />
      <AllLink href="/discussions" text={HOME_TEXTS.allDiscussions} />
    </HomeSection>
  )
}

const AllLink = ({ href, text }: { href: string; text: string }) => (
  <p className="mt-8 text-center text-sm">
    <a
      href={href}
      className="inline-flex min-h-10 items-center rounded-md px-2 font-medium text-tea underline decoration-tea/40 underline-offset-4 hover:decoration-tea"
    >
      {text}
    </a>
  </p>
)

/**
 * Greets once per page visit, 2.5 s after arrival, for 6 s (Spec §9). Waits while a dialog is open.
 * Off without discussions.
 */
function useWelcomeToast(text: string, isOn: boolean) {
  useEffect(() => {
    if (!isOn || !text) return
    let timer = setTimeout(greet, WELCOME_TOAST.delayMs - headStart())
    function greet() {
      if (document.querySelector('[role="dialog"], [role="alertdialog"]')) {
        timer = setTimeout(greet, WELCOME_TOAST.againMs)
        return
      }
      toast({
        id: 'welcome',
        title: WELCOME_TOAST.title,
        description: welcomeText(Math.random(), text),
        duration: WELCOME_TOAST.durationMs,
      })
    }
    return () => clearTimeout(timer)
  }, [text, isOn])
}
